// What a route is. The table of all routes drives registration, the access check, the OpenAPI document and the tests.

import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { Principal } from '../access/principal.ts';
import type { Scope } from '../access/scopes.ts';
import type { ProbeKind } from '../limits/decision.ts';
import type { Services } from '../services.ts';
import type { ErrorDetail } from './errors.ts';

/**
 * `public`: no credential and no limit. `anonymous`: no credential yet, the limit is that of the address. `any`: any valid credential. `session`:
 * a session token. Else the scope that the credential must hold.
 */
type Access = Scope | 'any' | 'session' | 'anonymous' | 'public';

/**
 * What a request costs: one API request, and with `assessments` one assessment too; with `batch` the handler takes one assessment for each item.
 * With `chunks` nothing: streams have bounds of their own. With `address`, one of the calls that an address may make without a credential. The headers tell of the assessments where there are any.
 * What probes call (`ProbeKind`) costs one call of that probe, from a window of its own, and nothing of the organization's.
 */
export type LimitClass = 'requests' | 'assessments' | 'batch' | 'chunks' | 'address' | ProbeKind;

interface ResponseDoc {
  readonly description: string;
  /** `null`: no body. Of the JSON; where the route produces none, what is said of the text or bytes. */
  readonly schema: TSchema | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request, as handlers see it: parsed, checked, and on behalf of a principal. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  readonly requestId: string;
  readonly principal: Principal;
  /** The client's address, as allowlists, limits and the trail know it. */
  readonly address: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** As many bytes as the body has, unpacked; 0: none was sent. */
  readonly bodyBytes: number;
  /** Lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Which of what the route `produces` the client wants; of equals the first. */
  readonly mediaType: () => string;
  /** The id of the resource that this request makes: the same again when an idempotent request is repeated after a crash. */
  readonly newResourceId: () => Buffer;
  readonly setStatus: (status: number) => void;
  readonly setHeader: (name: string, value: string) => void;
  /** Throws what the request is refused with by now, when its credential was revoked or changed since it began. */
  readonly recheck: () => Promise<void>;
  /** Aborts when the client has gone or the server is stopping. */
  readonly signal: () => AbortSignal;
}

export interface RouteSpec<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as in OpenAPI: `/v1/api-keys/{key_id}`. */
  readonly path: string;
  /** The last parameter takes the rest of the path, with the slashes in it. */
  readonly takesRestOfPath?: boolean;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** A second scope that the credential must hold too. */
  readonly alsoAccess?: Scope;
  /** `null`: free. */
  readonly limit: LimitClass | null;
  readonly bodyBytesMax?: number;
  /** The body may come with `Content-Encoding: gzip`; `bodyBytesMax` is of what it unpacks to. */
  readonly takesGzip?: boolean;
  /** The body may come as `application/x-protobuf`: the handler gets its bytes, which no schema checks. */
  readonly takesProtobuf?: boolean;
  /** The media types of its answers, the usual one first; absent: `application/json`. Refusals are JSON whatever it is. */
  readonly produces?: readonly string[];
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** What is wrong with a body, where its schema cannot say it all; replaces the check against the schema. */
  readonly checkBody?: (body: unknown) => readonly ErrorDetail[];
  /** Throws `not_found` for a resource that is not there, before the body is read. */
  readonly exists?: (services: Services, principal: Principal, params: Static<Params>) => Promise<unknown>;
  /** The header that brings the key where a vendor's clients do not send `Authorization`; lower-case. */
  readonly keyHeader?: string;
  /** The body of refusals, where a vendor's clients expect their own. */
  readonly refusal?: TSchema;
  /** By status; the first is what the handler answers with unless it sets another. */
  readonly responses: Readonly<Record<number, ResponseDoc>>;
  readonly handle: (services: Services, call: Call<Static<Params>, Static<Query>, Static<Body>>) => unknown;
  /**
   * For a POST: answers a repetition from the resource that the first request made. `null`: it made none, so the request is run again under the
   * same id. `hasSucceeded`: the first request was answered; else it may have been cut off before its end. `kept`: what `keep` kept of that
   * answer, else `null`. Absent: running it again is the same.
   */
  readonly replay?: (
    services: Services,
    call: Call<Static<Params>, Static<Query>, Static<Body>>,
    resourceId: Buffer,
    hasSucceeded: boolean,
    kept: unknown,
  ) => Promise<unknown>;
  /** For a POST that may make nothing: what of the answer is kept, without secrets and texts, for `replay`; where there is none, as the answer. */
  readonly keep?: (answer: unknown) => unknown;
  /** The body may be left out: all its members are optional. */
  readonly isBodyOptional?: boolean;
}

export type Route = RouteSpec<TSchema, TSchema, TSchema>;

/** Every POST but those that sign in, whose answers are secrets. */
export function takesIdempotencyKey({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
  return method === 'POST' && path.startsWith('/v1/') && !path.startsWith('/v1/auth/');
}

/** Declares a route; the types of params, query and body come from its schemas. */
export function route<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  spec: RouteSpec<Params, Query, Body>,
): Route {
  return spec;
}

/** A body that is serialized already, sent as it is. */
export class SerializedJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A body that is not JSON, sent as it is. */
export class SerializedBytes {
  readonly type: string;
  readonly bytes: Uint8Array;
  constructor(type: string, bytes: Uint8Array) {
    this.type = type;
    this.bytes = bytes;
  }
}

/** A body that is sent as it comes. Who asks may go away at any time: then the stream is destroyed. */
export class StreamedBytes {
  readonly type: string;
  readonly stream: Readable;
  /** How many there will be, where that is known. */
  readonly bytes: number | undefined;
  constructor(type: string, stream: Readable, bytes?: number) {
    this.type = type;
    this.stream = stream;
    this.bytes = bytes;
  }
}

export const BODY_BYTES_MAX = 1_048_576;
export const BATCH_BODY_BYTES_MAX = 8 * 1_048_576;
