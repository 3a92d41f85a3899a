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

  /** Ask whether an inference is allowed, flagged or blocked, before anyone sees it. */
  public AssessmentsApi assessments() {
    return assessments;
  }

  /** Ask the same while a model is still writing, and show only what is safe. */
  public StreamsApi streams() {
    return streams;
  }

  /** The audit trail: everything that happened, in one gap-free sequence. */
  public EventsApi events() {
    return events;
  }

  /** Evidence of a stretch of the trail, in one file that is checked without the service. */
  public ExportsApi exports() {
    return exports;
  }

  /**
   * The transparency log over the trail: checkpoints, proofs and tiles that anybody can check, and what is
   * erased of events.
   */
  public AuditApi audit() {
    return audit;
  }

  /** What changed in how your models behave, and how sure that is. */
  public DriftApi drift() {
    return drift;
  }

  /** What is detected and what follows from it. */
  public PolicyApi policy() {
    return policy;
  }

  /** Models outside that policies ask for their opinion. */
  public JudgesApi judges() {
    return judges;
  }

  /** What runs beside your models: it decides by your policy, offline too, and reports what it saw. */
  public ProbesApi probes() {
    return probes;
  }

  /** Events, pushed to your systems, and what became of each. */
  public WebhooksApi webhooks() {
    return webhooks;
  }

  /** Events, in the form that chat, incident and monitoring tools take. */
  public IntegrationsApi integrations() {
    return integrations;
  }

  /** Addresses of the service’s own that take webhooks and show what arrived. */
  public InboxesApi inboxes() {
    return inboxes;
  }

  /** Credentials, their scopes and their end. */
  public ApiKeysApi apiKeys() {
    return apiKeys;
  }

  /** Automated systems: their scopes, their addresses, their keys. */
  public ServiceAccountsApi serviceAccounts() {
    return serviceAccounts;
  }

  /** Users and browsers: session tokens, cookies and their end. */
  public SessionsApi sessions() {
    return sessions;
  }

  /** How users sign in by the organization’s identity provider. */
  public SsoApi sso() {
    return sso;
  }

  /** Who am I, and what was used. */
  public OrganizationApi organization() {
    return organization;
  }

  /** What happened in a time, and what evidence there is for laws and standards. */
  public ReportsApi reports() {
    return reports;
  }

  /** For load balancers and orchestrators. */
  public HealthApi health() {
    return health;
  }
}
