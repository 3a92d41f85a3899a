// The OpenAPI 3.1 document, made from the route table. Schemas with a title become components.

import { SETTINGS } from '../config.ts';
import { isProbeKind } from '../limits/decision.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { takesIdempotencyKey, type Route } from './route.ts';
import { ErrorResponse } from './schemas.ts';

type Json = Record<string, unknown>;

const LIMIT_HEADERS: Json = {
  'X-Svc-RateLimit-Limit': { description: 'Requests allowed per window.', schema: { type: 'integer' } },
  'X-Svc-RateLimit-Remaining': { description: 'Requests left in the current window.', schema: { type: 'integer' } },
  'X-Svc-RateLimit-Reset': { description: 'Unix second at which all of them are back.', schema: { type: 'integer' } },
  'X-Svc-RateLimit-Window': { description: 'Length of the window in seconds.', schema: { type: 'integer' } },
};

const TAGS: Readonly<Record<string, string>> = {
  Assessments: 'Ask whether an inference is allowed, flagged or blocked, before anyone sees it.',
  Streams: 'Ask the same while a model is still writing, and show only what is safe.',
  Events: 'The audit trail: everything that happened, in one gap-free sequence.',
  Audit:
    'The transparency log over the trail: checkpoints, proofs and tiles that anybody can check, and what is erased of events.',
  Exports: 'Evidence of a stretch of the trail, in one file that is checked without the service.',
  Policy: 'What is detected and what follows from it.',
  Judges: 'Models outside that policies ask for their opinion.',
  Webhooks: 'Events, pushed to your systems, and what became of each.',
  Integrations: 'Events, in the form that chat, incident and monitoring tools take.',
  Inboxes: 'Addresses of the service’s own that take webhooks and show what arrived.',
  'API keys': 'Credentials, their scopes and their end.',
  'Service accounts': 'Automated systems: their scopes, their addresses, their keys.',
  Sessions: 'Users and browsers: session tokens, cookies and their end.',
  'Single sign-on': 'How users sign in by the organization’s identity provider.',
  Reports: 'What happened in a time, and what evidence there is for laws and standards.',
  Organization: 'Who am I, and what was used.',
  Gateways: 'What existing gateways and clients call unchanged, in their vendors’ shapes.',
  Probes: 'What runs beside your models: it decides by your policy, offline too, and reports what it saw.',
  Drift: 'What changed in how your models behave, and how sure that is.',
  Health: 'For load balancers and orchestrators.',
};

/** The whole document. */
export function openApiDocument(routes: readonly Route[], version: string): Json {
  const components = new Map<string, unknown>();
  const paths: Record<string, Json> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version,
      description:
        'Governance assessment of AI inferences. Send what goes into a model and what comes out; learn in milliseconds whether it is allowed, flagged or blocked by your policy.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: `http://${SETTINGS.host.default}:${SETTINGS.port.default}`, description: 'A service started with `npm start`.' },
    ],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (`svc_live_…`, `svc_test_…` or `svc_admin_…`) or a session token.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'svc_session',
          description:
            'The session of a browser (`__Host-svc_session` where the service is reached by TLS). Writes need `X-Svc-CSRF`.',
        },
      },
      schemas: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function operationOf(route: Route, components: Map<string, unknown>): Json {
  const needsNone = route.access === 'public' || route.access === 'anonymous';
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: securityOf(route),
    ...(needsNone || route.access === 'any' || route.access === 'session' ? {} : { 'x-scope': scopesOf(route) }),
    parameters: parametersOf(route, components),
    ...(route.body === undefined ? {} : { requestBody: { required: true, content: contentOf(route, route.body, components) } }),
    responses: responsesOf(route, components),
  };
}

/** Separated by a space, as scopes are in OAuth. */
function scopesOf({ access, alsoAccess }: Route): string {
  return alsoAccess === undefined ? access : `${access} ${alsoAccess}`;
}

function securityOf({ access }: Route): Json[] {
  if (access === 'public' || access === 'anonymous') return [];
  return access === 'session' ? [{ bearer: [] }] : [{ bearer: [] }, { cookie: [] }];
}

function parametersOf(route: Route, components: Map<string, unknown>): Json[] {
  const parameters: Json[] = [];
  for (const [where, schema] of [
    ['path', route.params],
    ['query', route.query],
  ] as const) {
    const { properties = {}, required = [] }: { properties?: Record<string, Json>; required?: string[] } = schema ?? {};
    for (const [name, property] of Object.entries(properties)) {
      const { description, ...rest } = hoist(property, components) as Json;
      parameters.push({ name, in: where, required: where === 'path' || required.includes(name), description, schema: rest });
    }
  }
  if (route.access !== 'public') parameters.push(header('X-Svc-Org-Id', 'The organization; must be that of the credential.'));
  if (takesIdempotencyKey(route))
    parameters.push(header('Idempotency-Key', 'Makes it safe to send the request again: kept 24 hours.', 255));
  if (isProbeKind(route.limit ?? ''))
    parameters.push(
      header('X-Svc-Probe-Id', 'The probe’s own name: 1 to 128 of `A-Za-z0-9._:-`. Absent: the key is the probe.', 128),
    );
  if (route.operationId === 'putPolicy')
    parameters.push(header('If-Match', 'Store only if this is still the current version’s ETag.'));
  if (route.operationId === 'getPolicy' || route.operationId === 'syncPolicy')
    parameters.push(header('If-None-Match', 'Answer 304 if this is still the current version’s ETag.'));
  if (route.operationId === 'getCheckpoint')
    parameters.push(header('If-None-Match', 'Answer 304 if this is still the checkpoint’s ETag.'));
  return parameters;
}

function header(name: string, description: string, maxLength?: number): Json {
  return {
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', ...(maxLength === undefined ? {} : { maxLength }) },
  };
}

function responsesOf(route: Route, components: Map<string, unknown>): Json {
  const limitHeaders = route.access === 'public' ? {} : LIMIT_HEADERS;
  const responses: Json = {};
  for (const [status, { description, schema, headers = {} }] of Object.entries(route.responses)) {
    const named = Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]);
    responses[status] = {
      description,
      headers: { ...limitHeaders, ...Object.fromEntries(named) },
      ...(schema === null ? {} : { content: answerOf(route, schema, components) }),
    };
  }
  for (const code of errorsOf(route)) {
    const { status, meaning } = ERRORS[code];
    responses[status] ??= {
      description: `\`${code}\`: ${meaning}`,
      headers: limitHeaders,
      content: contentOf(route, route.refusal ?? ErrorResponse, components),
    };
  }
  return responses;
}

/** The refusals an operation can answer with. */
function errorsOf(route: Route): ErrorCode[] {
  if (route.access === 'public') return ['internal_error'];
  const codes: ErrorCode[] = [
    'invalid_request',
    'unauthorized',
    ...(route.access === 'anonymous' ? [] : (['insufficient_permissions'] as const)),
    'not_acceptable',
    'rate_limited',
    'internal_error',
    'unavailable',
  ];
  if (route.params !== undefined) codes.push('not_found');
  if (route.body !== undefined) codes.push('payload_too_large', 'unsupported_media_type');
  if (takesIdempotencyKey(route)) codes.push('conflict', 'idempotency_mismatch');
  // Of a new probe, where the organization has too many.
  if (isProbeKind(route.limit ?? '')) codes.push('conflict');
  if (route.operationId === 'putPolicy') codes.push('precondition_failed');
  return codes.toSorted((a, b) => ERRORS[a].status - ERRORS[b].status);
}

function contentOf({ takesProtobuf }: Route, schema: unknown, components: Map<string, unknown>): Json {
  return {
    'application/json': { schema: hoist(schema, components) },
    // The same message; OpenAPI has no words for its encoding.
    ...(takesProtobuf === true ? { 'application/x-protobuf': { schema: { type: 'string', format: 'binary' } } } : {}),
  };
}

/** As JSON where the route produces that; what is neither JSON nor text is bytes. */
function answerOf(route: Route, schema: unknown, components: Map<string, unknown>): Json {
  if (route.produces === undefined) return contentOf(route, schema, components);
  const says = route.produces.some(isJson) ? {} : (hoist(schema, components) as Json);
  return Object.fromEntries(
    route.produces.map((type) => {
      if (isJson(type)) return [type, { schema: hoist(schema, components) }];
      return [type, { schema: { ...says, type: 'string', ...(type.startsWith('text/') ? {} : { format: 'binary' }) } }];
    }),
  );
}

function isJson(type: string): boolean {
  return type === 'application/json';
}

/** A copy of `schema` in which every titled schema inside is a reference to a component. */
function hoist(schema: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const title = (schema as { title?: unknown }).title;
  if (typeof title !== 'string') return mapValues(schema as Json, components);
  if (!components.has(title)) {
    components.set(title, null); // reserves the name while the schema, which may refer to itself, is copied
    components.set(title, mapValues(schema as Json, components));
  }
  return { $ref: `#/components/schemas/${title}` };
}

function mapValues(schema: Json, components: Map<string, unknown>): Json {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, hoist(value, components)]));
}
