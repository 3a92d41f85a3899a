/** The operations of the API, one class a resource. See {@link svc.client.Svc}. */
package svc.client.resources;
