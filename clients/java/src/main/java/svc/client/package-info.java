/**
 * The client of svc. Begin with {@link svc.client.Svc}; {@link svc.client.Webhooks} and {@link
 * svc.client.CheckpointMemory} stand by themselves.
 */
package svc.client;
