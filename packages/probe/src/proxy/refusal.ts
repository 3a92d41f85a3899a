// Refusals of the proxy's own, in the shape that clients of OpenAI's API read.

import type { BusyError } from '../errors.ts';

export interface RefusalOptions {
  readonly type?: string;
  readonly code: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is no answer of the model's. `message` is public. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, { type, code, headers = {} }: RefusalOptions) {
    super(message);
    this.status = status;
    this.type = type ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
    this.code = code;
    this.headers = headers;
  }

  get body(): string {
    return JSON.stringify({ error: { message: this.message, type: this.type, param: null, code: this.code } });
  }
}

/** The answer where there is no time for a request now. */
export function busyRefusal({ message }: BusyError): Refusal {
  return new Refusal(503, message, { code: 'busy', headers: { 'retry-after': '1' } });
}
