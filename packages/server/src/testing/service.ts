// A whole service on a database of its own, reached over real HTTP.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { createOrganization, type NewOrganization } from '../organizations/service.ts';
import type { Plan } from '../organizations/plans.ts';
import { startService } from '../service.ts';
import type { Services } from '../services.ts';
import { createLog } from '../telemetry/log.ts';
import { createTestDatabase } from './postgres.ts';

/** JSON as a test reads it: any member may be asked for, and a wrong guess fails the test. */
type Json = ReturnType<typeof JSON.parse>;

/** An answer, its body parsed when it is JSON. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
  readonly text: string;
}

export interface TestService {
  readonly baseUrl: string;
  readonly services: Services;
  readonly organization: NewOrganization;
  readonly databaseUrl: string;
  /** `body`: an object is sent as JSON, a string as it is. */
  request(
    method: string,
    path: string,
    options?: { key?: string | null; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  createOrganization(plan?: Plan): Promise<NewOrganization>;
  close(): Promise<void>;
}

/** Starts a service; requests carry the first organization's live key unless told otherwise (`key: null`: none). */
export async function startTestService(
  env: Readonly<Record<string, string>> = {},
  clock: () => number = Date.now,
): Promise<TestService> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-data-'));
  const config = readConfig({
    SVC_DATABASE_URL: database.url,
    SVC_DATA_DIR: dataDir,
    SVC_PORT: '0',
    SVC_LOG_LEVEL: 'silent',
    SVC_BOOTSTRAP_PLAN: 'enterprise',
    ...env,
  });
  const fail = (err: Error) => {
    throw err;
  };
  const running = await startService(config, createLog(config.logLevel).log, fail, clock);
  const organization = running.firstOrganization!;
  return {
    baseUrl: running.baseUrl,
    services: running.services,
    organization,
    databaseUrl: database.url,
    async request(method, path, { key = organization.keys.live, body, headers = {} } = {}) {
      const res = await fetch(running.baseUrl + path, {
        method,
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        redirect: 'manual',
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await res.text();
      const isJson = res.headers.get('content-type')?.startsWith('application/json') === true;
      return { status: res.status, headers: res.headers, text, body: isJson ? JSON.parse(text) : undefined };
    },
    createOrganization: (plan = 'enterprise') => createOrganization(running.services, 'Another organization', plan),
    async close() {
      await running.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The settings with which the service believes `X-Forwarded-For`. */
export const BEHIND_PROXY = { SVC_TRUSTED_PROXIES: '127.0.0.0/8' } as const;

/** A service with those settings, asked from another address each time: refused credentials of one address are limited. */
export function fromManyAddresses(asked: TestService): TestService {
  let count = 0;
  return {
    ...asked,
    request: (method, path, options = {}) => {
      count++;
      const address = `198.18.${(count >> 8) & 255}.${count & 255}`;
      return asked.request(method, path, { ...options, headers: { 'x-forwarded-for': address, ...options.headers } });
    },
  };
}
