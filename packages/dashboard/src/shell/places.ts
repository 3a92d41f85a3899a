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
  { path: '/', title: 'Overview', group: 'Watch', scope: null, words: 'home start dashboard statistics figures latency' },
  {
    path: '/events',
    title: 'Events',
    group: 'Watch',
    scope: 'events:read',
    words: 'assessments inferences requests trail audit log logs history proof search redact blocked flagged',
  },
  {
    path: '/drift',
    title: 'Drift',
    group: 'Watch',
    scope: 'probes:read',
    words: 'monitors baseline change anomaly acknowledge rebaseline signals',
  },
  {
    path: '/probes',
    title: 'Probes',
    group: 'Watch',
    scope: 'probes:read',
    words: 'agents gateways sidecars health heartbeat offline skewed queue telemetry',
  },
  {
    path: '/playground',
    title: 'Playground',
    group: 'Decide',
    scope: 'policy:read',
    words: 'try test assess text prompt injection sandbox simulate',
  },
  {
    path: '/policy',
    title: 'Policy',
    group: 'Decide',
    scope: 'policy:read',
    words:
      'policies document editor lint versions diff restore simulate shadow promote exceptions detectors rules settings guardrails',
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    group: 'Tell',
    scope: 'webhooks:read',
    words: 'hooks endpoints receivers deliveries retry inbox signature secret doctor',
  },
  {
    path: '/integrations',
    title: 'Integrations',
    group: 'Tell',
    scope: 'webhooks:read',
    words: 'slack pagerduty teams datadog splunk alerts notifications',
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
    words: 'rotate revoke secrets tokens credentials',
  },
  {
    path: '/settings/service-accounts',
    title: 'Service accounts',
    group: 'Settings',
    scope: 'admin:*',
    words: 'machines programs allowlist ip cidr',
  },
  {
    path: '/settings/sessions',
    title: 'Sessions',
    group: 'Settings',
    scope: 'admin:*',
    words: 'signed in users people logins end',
  },
  {
    path: '/settings/sso',
    title: 'Single sign-on',
    group: 'Settings',
    scope: 'admin:*',
    words: 'sso oidc openid okta entra google keycloak roles login identity',
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
    words: 'organisation account tenant plan limits quota billing usage credential scopes',
  },
];

/** A part of a page, with an address of its own. */
export interface Part {
  readonly path: string;
  readonly title: string;
  /** The title of its page. */
  readonly of: string;
  readonly scope: string | null;
  readonly words: string;
}

export const PARTS: readonly Part[] = [
  part('/events', 'assessments', 'Assessments', 'inferences requests prompts'),
  part('/policy', 'versions', 'Policy versions', 'history diff compare restore roll back'),
  part('/policy', 'simulate', 'Simulate a policy', 'simulation try replay dry run'),
  part('/policy', 'shadow', 'Shadow policy', 'candidate tally promote'),
  part('/policy', 'exceptions', 'Exceptions', 'excuse suppress false positive allow'),
  part('/webhooks', 'inboxes', 'Inboxes', 'receiver test messages'),
  part('/webhooks', 'doctor', 'Signature doctor', 'verify check hmac'),
];

function part(path: string, tab: string, title: string, words: string): Part {
  const page = PLACES.find((place) => place.path === path)!;
  return { path: `${path}?tab=${tab}`, title, of: page.title, scope: page.scope, words };
}

/** The place to which a path belongs, such as `/events` of `/events/evt_…`. */
export function placeOf(path: string): Place | undefined {
  return PLACES.find((place) => path === place.path || (place.path !== '/' && path.startsWith(`${place.path}/`)));
}
