/**
 * Shapes on the wire, as they are named in the API reference. What is answered is read, what is
 * sent is made by builders.
 *
 * <p>Times are texts in ISO 8601, for {@link java.time.Instant#parse}. Members that have one of a
 * few texts today are strings, with constants beside them, because a later service may have others;
 * so have a {@code default} in a {@code switch}. Members that this version does not know are
 * ignored. Constructors grow with the API: use the builders.
 */
package svc.client.types;
