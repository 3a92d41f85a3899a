// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Transport;
import svc.client.types.Organization;
import svc.client.types.OrganizationGetUsageQuery;
import svc.client.types.Usage;

/** Who am I, and what was used. Safe for use by many threads. */
public final class OrganizationApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public OrganizationApi(Transport transport) {
    this.transport = transport;
  }

  /** Read the organization and the credential in use. */
  public Organization get() {
    return get(null);
  }

  /**
   * Read the organization and the credential in use. {@code options}: {@code null} for those of the client.
   */
  public Organization get(CallOptions options) {
    return transport.json(Call.of("GET", "/v1/organization"), Organization.class, options);
  }

  /**
   * Read what was used of the plan. Assessments by day, from the trail, with texts that probes sent; those of
   * test keys do not count. And what is left of the limits right now. Needs {@code reports:read}.
   */
  public Usage getUsage() {
    return getUsage(null, null);
  }

  /**
   * Read what was used of the plan. Assessments by day, from the trail, with texts that probes sent; those of
   * test keys do not count. And what is left of the limits right now. Needs {@code reports:read}.
   */
  public Usage getUsage(OrganizationGetUsageQuery query) {
    return getUsage(query, null);
  }

  /**
   * Read what was used of the plan. Assessments by day, from the trail, with texts that probes sent; those of
   * test keys do not count. And what is left of the limits right now. Needs {@code reports:read}. {@code
   * query}: {@code null} for none. {@code options}: {@code null} for those of the client.
   */
  public Usage getUsage(OrganizationGetUsageQuery query, CallOptions options) {
    return transport.json(Call.of("GET", "/v1/usage").query(query), Usage.class, options);
  }
}
