// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client;

import svc.client.resources.ApiKeysApi;
import svc.client.resources.AssessmentsApi;
import svc.client.resources.AuditApi;
import svc.client.resources.DriftApi;
import svc.client.resources.EventsApi;
import svc.client.resources.ExportsApi;
import svc.client.resources.HealthApi;
import svc.client.resources.InboxesApi;
import svc.client.resources.IntegrationsApi;
import svc.client.resources.JudgesApi;
import svc.client.resources.OrganizationApi;
import svc.client.resources.PolicyApi;
import svc.client.resources.ProbesApi;
import svc.client.resources.ReportsApi;
import svc.client.resources.ServiceAccountsApi;
import svc.client.resources.SessionsApi;
import svc.client.resources.SsoApi;
import svc.client.resources.StreamsApi;
import svc.client.resources.WebhooksApi;

/** The resources of the API: what {@link Svc} has beside its own methods. */
public abstract sealed class Resources permits Svc {
  private final AssessmentsApi assessments;
  private final StreamsApi streams;
  private final EventsApi events;
  private final ExportsApi exports;
  private final AuditApi audit;
  private final DriftApi drift;
  private final PolicyApi policy;
  private final JudgesApi judges;
  private final ProbesApi probes;
  private final WebhooksApi webhooks;
  private final IntegrationsApi integrations;
  private final InboxesApi inboxes;
  private final ApiKeysApi apiKeys;
  private final ServiceAccountsApi serviceAccounts;
  private final SessionsApi sessions;
  private final SsoApi sso;
  private final OrganizationApi organization;
  private final ReportsApi reports;
  private final HealthApi health;

  Resources(Transport transport) {
    assessments = new AssessmentsApi(transport);
    streams = new StreamsApi(transport);
    events = new EventsApi(transport);
    exports = new ExportsApi(transport);
    audit = new AuditApi(transport);
    drift = new DriftApi(transport);
    policy = new PolicyApi(transport);
    judges = new JudgesApi(transport);
    probes = new ProbesApi(transport);
    webhooks = new WebhooksApi(transport);
    integrations = new IntegrationsApi(transport);
    inboxes = new InboxesApi(transport);
    apiKeys = new ApiKeysApi(transport);
    serviceAccounts = new ServiceAccountsApi(transport);
    sessions = new SessionsApi(transport);
    sso = new SsoApi(transport);
    organization = new OrganizationApi(transport);
    reports = new ReportsApi(transport);
    health = new HealthApi(transport);
  }

  /** Operations of {@code assessments}. */
  public AssessmentsApi assessments() {
    return assessments;
  }

  /** Operations of {@code streams}. */
  public StreamsApi streams() {
    return streams;
  }

  /** Operations of {@code events}. */
  public EventsApi events() {
    return events;
  }

  /** Operations of {@code exports}. */
  public ExportsApi exports() {
    return exports;
  }

  /** Operations of {@code audit}. */
  public AuditApi audit() {
    return audit;
  }

  /** Operations of {@code drift}. */
  public DriftApi drift() {
    return drift;
  }

  /** Operations of {@code policy}. */
  public PolicyApi policy() {
    return policy;
  }

  /** Operations of {@code judges}. */
  public JudgesApi judges() {
    return judges;
  }

  /** Operations of {@code probes}. */
  public ProbesApi probes() {
    return probes;
  }

  /** Operations of {@code webhooks}. */
  public WebhooksApi webhooks() {
    return webhooks;
  }

  /** Operations of {@code integrations}. */
  public IntegrationsApi integrations() {
    return integrations;
  }

  /** Operations of {@code inboxes}. */
  public InboxesApi inboxes() {
    return inboxes;
  }

  /** Operations of {@code api keys}. */
  public ApiKeysApi apiKeys() {
    return apiKeys;
  }

  /** Operations of {@code service accounts}. */
  public ServiceAccountsApi serviceAccounts() {
    return serviceAccounts;
  }

  /** Operations of {@code sessions}. */
  public SessionsApi sessions() {
    return sessions;
  }

  /** Operations of {@code sso}. */
  public SsoApi sso() {
    return sso;
  }

  /** Operations of {@code organization}. */
  public OrganizationApi organization() {
    return organization;
  }

  /** Operations of {@code reports}. */
  public ReportsApi reports() {
    return reports;
  }

  /** Operations of {@code health}. */
  public HealthApi health() {
    return health;
  }
}
