// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * How far assessments got, of those that the service decided and the trail has an event of.
 *
 * @param complete Everything was looked at by every detector.
 * @param partial Something was not looked at, or a detector did not end.
 * @param failed Nothing was.
 */
public record CoverageCounts(
    long complete,
    long partial,
    long failed) {}
