// The pages as the navigation and the palette list them.

/** As the navigation has them, from top to bottom. */
export const GROUPS = ['Watch', 'Decide', 'Tell', 'Prove', 'Settings'] as const;

export interface Place {
  readonly path: string;
  readonly title: string;
  readonly group: (typeof GROUPS)[number];
  /** The scope without which the page shows nothing; `null`: everyone may see it. */
  readonly scope: string | null;
  /** More words by which the palette finds it. */
  readonly words: string;
}

export const PLACES: readonly Place[] = [
  { path: '/', title: 'Overview', group: 'Watch', scope: null, words: 'home start dashboard' },
  {
    path: '/events',
    title: 'Events',
    group: 'Watch',
    scope: 'events:read',
    words: 'assessments inferences trail log proof search redact',
  },
  {
    path: '/drift',
    title: 'Drift',
    group: 'Watch',
    scope: 'probes:read',
    words: 'monitors baseline change acknowledge rebaseline signals',
  },
  {
    path: '/probes',
    title: 'Probes',
    group: 'Watch',
    scope: 'probes:read',
    words: 'agent health heartbeat offline skewed queue telemetry',
  },
  {
    path: '/playground',
    title: 'Playground',
    group: 'Decide',
    scope: 'policy:read',
    words: 'try assess text prompt injection sandbox simulate',
  },
  {
    path: '/policy',
    title: 'Policy',
    group: 'Decide',
    scope: 'policy:read',
    words: 'document editor lint versions diff restore simulate shadow promote exceptions detectors rules',
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    group: 'Tell',
    scope: 'webhooks:read',
    words: 'deliveries inbox signature secret doctor',
  },
  {
    path: '/integrations',
    title: 'Integrations',
    group: 'Tell',
    scope: 'webhooks:read',
    words: 'slack pagerduty teams datadog splunk',
  },
  {
    path: '/reports',
    title: 'Reports',
    group: 'Prove',
    scope: 'reports:read',
    words: 'summary compliance evidence eu ai act nist iso 42001 print audit',
  },
  {
    path: '/exports',
    title: 'Exports',
    group: 'Prove',
    scope: 'events:read',
    words: 'evidence bundle download csv parquet ocsf cloudevents verify audit',
  },
  {
    path: '/settings/keys',
    title: 'API keys',
    group: 'Settings',
    scope: 'admin:*',
    words: 'new key rotate revoke secret token',
  },
  {
    path: '/settings/service-accounts',
    title: 'Service accounts',
    group: 'Settings',
    scope: 'admin:*',
    words: 'machines allowlist ip cidr',
  },
  {
    path: '/settings/sessions',
    title: 'Sessions',
    group: 'Settings',
    scope: 'admin:*',
    words: 'signed in users end',
  },
  {
    path: '/settings/sso',
    title: 'Single sign-on',
    group: 'Settings',
    scope: 'admin:*',
    words: 'sso oidc okta entra google keycloak roles',
  },
  {
    path: '/settings/judges',
    title: 'Judges',
    group: 'Settings',
    scope: 'admin:*',
    words: 'models llm safeguard llama guard',
  },
  {
    path: '/settings/organization',
    title: 'Organization',
    group: 'Settings',
    scope: null,
    words: 'plan limits usage credential scopes',
  },
];

/** The place to which a path belongs, such as `/events` of `/events/evt_…`. */
export function placeOf(path: string): Place | undefined {
  return PLACES.find((place) => path === place.path || (place.path !== '/' && path.startsWith(`${place.path}/`)));
}
