// The HTTP server: every route by name, and what is common to all of them.

import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { apiKeyRoutes } from './api-keys/routes.ts';
import type { Principal } from './access/principal.ts';
import { assessmentRoutes } from './assessments/routes.ts';
import { deploymentLogRoutes } from './audit/deployment-routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { vendorErrorBody } from './compat/errors.ts';
import { compatRoutes } from './compat/routes.ts';
import { driftRoutes } from './drift/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { exportRoutes } from './exports/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { checkAccess, UNKNOWN_PATH, type Checked } from './http/access-check.ts';
import { clientAddress } from './http/client-address.ts';
import { isEncodingTaken, unpackBody } from './http/body-encoding.ts';
import { AppError, errorBody } from './http/errors.ts';
import { toAppError } from './http/fastify-errors.ts';
import { handlerOf, paramsOf } from './http/handler.ts';
import { acceptedType } from './http/media-type.ts';
import { registerDashboard } from './http/dashboard.ts';
import { registerDocs } from './http/docs.ts';
import { MethodFinder } from './http/method-finder.ts';
import { isOverload, OverloadLog } from './http/overload.ts';
import { BODY_BYTES_MAX, type Route } from './http/route.ts';
import { newId } from './ids.ts';
import { registerInbox } from './inboxes/receive.ts';
import { inboxRoutes } from './inboxes/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { judgeRoutes } from './judges/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { policyRoutes } from './policy/routes.ts';
import { otlpRefusal, otlpRoutes } from './probes/otlp.ts';
import { probeRoutes } from './probes/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { serviceAccountRoutes } from './service-accounts/routes.ts';
import type { Services } from './services.ts';
import { usageRoutes } from './usage/routes.ts';
import { streamRoutes } from './streams/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { registerMetrics } from './telemetry/metrics.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { ssoRoutes } from './sso/routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the access check let the request through. */
    principal: Principal | null;
    /** What it was let in by, to be looked at again. */
    checked: Checked | null;
    /** The client's address. */
    address: string;
    /** The body as it was sent, where an idempotency key needs it. */
    rawBody: string | null;
    /** How long it is, unpacked. */
    bodyBytes: number;
    startedAt: number;
  }
  interface FastifyContextConfig {
    route?: Route;
  }
}

/** The route table. It drives registration, the access check, the OpenAPI document and the tests. */
export const ROUTES: readonly Route[] = [
  ...assessmentRoutes,
  ...compatRoutes,
  ...streamRoutes,
  ...eventRoutes,
  ...exportRoutes,
  ...auditRoutes,
  ...deploymentLogRoutes,
  ...driftRoutes,
  ...policyRoutes,
  ...judgeRoutes,
  ...probeRoutes,
  ...otlpRoutes,
  ...webhookRoutes,
  ...integrationRoutes,
  ...inboxRoutes,
  ...apiKeyRoutes,
  ...serviceAccountRoutes,
  ...sessionRoutes,
  ...ssoRoutes,
  ...organizationRoutes,
  ...reportRoutes,
  ...usageRoutes,
  ...healthRoutes,
];

/** Also in absolute form (`GET http://host/v1/…`), and without anything after the prefix. */
const API_PATH = /^(https?:\/\/[^/]*)?\/(v1|api|compat)(\/|\?|$)/i;
const CLOSE_IDLE_INTERVAL_MS = 50;
// Below the 30 s that orchestrators commonly give: who has not sent a whole request, or not got its answer, by then is cut off.
const CLOSE_MS_MAX = 15_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000; // above the 60 s of common load balancers, so that they close first

/** What `npm run build` of packages/dashboard made. */
const DASHBOARD = join(import.meta.dirname, '../../dashboard/dist');

export interface App {
  readonly fastify: FastifyInstance;
  /** Ends long polls at once, waits for requests in flight, then closes. */
  close(): Promise<void>;
}

export function buildApp(services: Services): App {
  const stopping = new AbortController();
  const fastify = Fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false },
    genReqId: () => newId('req'),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 300 },
    frameworkErrors: (_err, req, reply) => answerBadUrl(services, req, reply),
    clientErrorHandler: answerBrokenRequest,
  });
  fastify.decorateRequest('principal', null);
  fastify.decorateRequest('checked', null);
  fastify.decorateRequest('address', '');
  fastify.decorateRequest('rawBody', null);
  fastify.decorateRequest('bodyBytes', 0);
  fastify.decorateRequest('startedAt', 0);

  fastify.server.on('checkExpectation', answerExpectation);
  const finder = new MethodFinder(ROUTES);
  acceptJson(fastify);
  checkEveryRequest(fastify, services);
  answerErrors(fastify, services, finder);
  logRequests(fastify, services);
  registerDocs(fastify, ROUTES);
  registerDashboard(fastify, DASHBOARD);
  registerMetrics(fastify, services);
  registerInbox(fastify, services);
  for (const route of ROUTES) {
    fastify.route({
      // Load balancers probe with HEAD.
      method: route.access === 'public' ? [route.method, 'HEAD'] : route.method,
      url: (route.takesRestOfPath === true ? route.path.replace(/\{\w+\}$/, '*') : route.path).replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { route },
      ...(route.bodyBytesMax === undefined ? {} : { bodyLimit: route.bodyBytesMax }),
      ...(route.exists === undefined ? {} : { preParsing: existenceCheck(route, services) }),
      schema: { response: responseSchemas(route) },
      handler: handlerOf(route, services, stopping.signal),
    });
  }
  return {
    fastify,
    async close() {
      stopping.abort();
      // A connection whose last answer goes out while the server is closing would be kept alive: no request could come on it any more.
      const timer = setInterval(() => fastify.server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS);
      const deadline = setTimeout(() => fastify.server.closeAllConnections(), CLOSE_MS_MAX);
      await fastify.close().finally(() => {
        clearInterval(timer);
        clearTimeout(deadline);
      });
    },
  };
}

/** What a request is about must be there before its body matters. */
function existenceCheck(route: Route, services: Services) {
  return async (req: FastifyRequest): Promise<void> => {
    await route.exists!(services, req.principal!, paramsOf(route, req));
  };
}

function responseSchemas(route: Route): Record<string, unknown> {
  if (route.produces?.includes('application/json') === false) return {};
  return Object.fromEntries(
    Object.entries(route.responses).flatMap(([status, { schema }]) => (schema === null ? [] : [[status, schema]])),
  );
}

/** The body as bytes first: what is not UTF-8 is refused, not mended, and an idempotency key is bound to exactly what was sent. */
function acceptJson(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (req: FastifyRequest, packed: Buffer, done: (err: Error | null, body?: unknown) => void) => {
      unpackBody(req, packed, (err, bytes) => {
        if (err !== null) return done(err);
        if (!isUtf8(bytes)) return done(new AppError('invalid_request', 'The body is not valid UTF-8.'));
        const text = bytes.toString('utf8');
        if (req.headers['idempotency-key'] !== undefined) req.rawBody = text;
        if (text === '') done(null, undefined);
        else void parse(req, text, done);
        return undefined;
      });
    },
  );
  fastify.addContentTypeParser('application/x-protobuf', { parseAs: 'buffer' }, (req: FastifyRequest, packed: Buffer, done) => {
    const { route } = req.routeOptions.config;
    if (route?.takesProtobuf === true) return unpackBody(req, packed, done);
    // Where there is no operation, that is what is told.
    const error = route === undefined ? null : new AppError('unsupported_media_type', 'Send the body as application/json.');
    return done(error, undefined);
  });
  // `curl -X POST -d ''` says that its empty body is a form.
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (req: FastifyRequest, bytes: Buffer, done) => {
    const orProtobuf = req.routeOptions.config.route?.takesProtobuf === true ? ' or application/x-protobuf' : '';
    const error = new AppError('unsupported_media_type', `Send the body as application/json${orProtobuf}.`);
    done(bytes.length === 0 ? null : error, undefined);
  });
}

function isApi(req: FastifyRequest): boolean {
  return API_PATH.test(req.url);
}

function checkEveryRequest(fastify: FastifyInstance, services: Services): void {
  fastify.addHook('onRequest', (req, reply, done) => {
    req.startedAt = performance.now();
    req.address = clientAddress(req.socket.remoteAddress, forwardedFor(req), services.trustedProxies);
    reply.header('x-svc-request-id', req.id);
    reply.header('x-content-type-options', 'nosniff');
    const route = req.routeOptions.config.route;
    if (route === undefined ? !isApi(req) : route.access === 'public') return done();
    reply.header('cache-control', 'no-store');
    checkAccess(services, route ?? UNKNOWN_PATH, req, reply, (err) => done(err ?? refusalOfHeaders(req)));
  });
}

function forwardedFor(req: FastifyRequest): string | undefined {
  const header = req.headers['x-forwarded-for'];
  return Array.isArray(header) ? header.join(',') : header;
}

function refusalOfHeaders(req: FastifyRequest): AppError | undefined {
  const types = producedBy(req.routeOptions.config.route);
  if (acceptedType(req.headers.accept, types) === null)
    return new AppError('not_acceptable', `This operation answers ${types.join(' or ')}, which the Accept header refuses.`);
  if (!isEncodingTaken(req)) {
    const takesGzip = req.routeOptions.config.route?.takesGzip === true;
    return new AppError(
      'unsupported_media_type',
      `Send the body without Content-Encoding${takesGzip ? ', or packed by gzip' : ''}.`,
    );
  }
  return undefined;
}

/** Of an operation of the API; what else takes a body has a bound of its own. */
function bodyBytesMaxOf(req: FastifyRequest): number | undefined {
  const { route } = req.routeOptions.config;
  return route === undefined ? undefined : (route.bodyBytesMax ?? BODY_BYTES_MAX);
}

const JSON_ONLY: readonly string[] = ['application/json'];
const JSON_OR_PROTOBUF: readonly string[] = [...JSON_ONLY, 'application/x-protobuf'];

function producedBy(route: Route | undefined): readonly string[] {
  return route?.produces ?? (route?.takesProtobuf === true ? JSON_OR_PROTOBUF : JSON_ONLY);
}

function answerErrors(fastify: FastifyInstance, services: Services, finder: MethodFinder): void {
  const overload = new OverloadLog(services.log);
  fastify.setErrorHandler((err: FastifyError | AppError, req, reply) => {
    const error = toAppError(err, bodyBytesMaxOf(req));
    const line = requestLine(req, error.status);
    if (isOverload(error)) overload.add(line, error.message);
    else if (error.status >= 500) services.log.error({ ...line, err: error.cause ?? err }, error.code);
    else services.log.info(line, error.code);
    const { type, body } = writtenRefusal(req, error);
    reply.status(error.status).headers(error.headers).type(type).send(body);
  });
  fastify.setNotFoundHandler((req, reply: FastifyReply) => {
    const methods = finder.methodsOf(req.url);
    if (methods.length === 0) throw new AppError('not_found', `There is no ${req.method} operation at this path.`);
    reply.header('allow', methods.join(', '));
    throw new AppError('method_not_allowed', `This path takes ${methods.join(', ')}, not ${req.method}.`);
  });
}

/** A refusal in the shape that clients of its path read, also where there is no route. */
function writtenRefusal(
  { url, headers, id }: FastifyRequest,
  error: AppError,
): { readonly type: string; readonly body: string | Buffer } {
  return (
    otlpRefusal(url, headers['content-type'], error) ?? {
      type: 'application/json; charset=utf-8',
      body: JSON.stringify(vendorErrorBody(url, error, id) ?? errorBody(error, id)),
    }
  );
}

/** Refusals and faults are `info`, logged where they are answered; what succeeds is `debug`, because the trail tells of it already. */
function logRequests(fastify: FastifyInstance, { log }: Services): void {
  // Without the hook Fastify need not watch the end of each answer.
  if (!log.isLevelEnabled('debug')) return;
  fastify.addHook('onResponse', (req, reply, done) => {
    if (reply.statusCode < 400) log.debug(requestLine(req, reply.statusCode));
    done();
  });
}

function requestLine(req: FastifyRequest, status: number): object {
  return {
    request_id: req.id,
    method: req.method,
    // The pattern, not the address: parameters and queries are the customer's.
    route: req.routeOptions.config.route?.path ?? null,
    status,
    duration_ms: Math.round((performance.now() - req.startedAt) * 100) / 100,
    org_id: req.principal?.organization.id,
    principal_id: req.principal?.id,
  };
}

/** A path that cannot be decoded, for which no hooks run: who asks is found out first here too. */
function answerBadUrl(services: Services, req: FastifyRequest, reply: FastifyReply): void {
  const answer = (err: Error | undefined) => {
    const error = toAppError(err ?? new AppError('invalid_request', 'The path cannot be decoded.'));
    const { type, body } = writtenRefusal(req, error);
    void reply
      .status(error.status)
      .headers({ ...error.headers, 'x-svc-request-id': req.id })
      .type(type)
      .send(body);
  };
  req.address = clientAddress(req.socket.remoteAddress, forwardedFor(req), services.trustedProxies);
  if (isApi(req)) checkAccess(services, UNKNOWN_PATH, req, reply, answer);
  else answer(undefined);
}

/** An expectation that no one here can meet (RFC 9110 §10.1.1). */
function answerExpectation(_req: unknown, res: ServerResponse): void {
  const requestId = newId('req');
  const error = new AppError('invalid_request', 'The Expect header asks for something that this service does not do.');
  res.writeHead(417, { 'content-type': 'application/json; charset=utf-8', 'x-svc-request-id': requestId });
  res.end(JSON.stringify(errorBody(error, requestId)));
}

/** What is not HTTP, or never ends, is answered before there is a request. */
function answerBrokenRequest(err: NodeJS.ErrnoException, socket: Socket): void {
  if (err.code === 'ECONNRESET' || !socket.writable) return;
  const requestId = newId('req');
  const isTooLarge = err.code === 'HPE_HEADER_OVERFLOW';
  const error = new AppError(
    'invalid_request',
    isTooLarge ? 'The headers are larger than 16 kB.' : 'The request is not valid HTTP, or took too long to arrive.',
  );
  const body = JSON.stringify(errorBody(error, requestId));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nX-Svc-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
