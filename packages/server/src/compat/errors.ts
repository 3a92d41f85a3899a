// Refusals in the shape that a vendor's clients read, for everything below its path: also what is refused before there is a route.

import type { AppError } from '../http/errors.ts';

type Vendor = 'litellm' | 'portkey' | 'lakera' | 'openai';
type Refusal = Pick<AppError, 'code' | 'status' | 'message' | 'details'>;

const VENDOR_PATH = /^(?:https?:\/\/[^/]*)?\/compat\/(litellm|portkey|lakera|openai)(?:[/?]|$)/i;

/** The body of a refusal at `url`, in the vendor's shape; `null` where the API's own shape holds. */
export function vendorErrorBody(url: string, error: Refusal, requestId: string): object | null {
  const vendor = VENDOR_PATH.exec(url)?.[1]?.toLowerCase() as Vendor | undefined;
  return vendor === undefined ? null : SHAPES[vendor](error, requestId);
}

const SHAPES: Readonly<Record<Vendor, (error: Refusal, requestId: string) => object>> = {
  // LiteLLM's own proxy says the status once more, as a text.
  litellm: (error) => openAiError(error, String(error.status)),
  // Theirs and Lakera’s as the answer of a check that failed: who does not look at the status must not read it as a pass.
  portkey: ({ code, message, details }, requestId) => ({
    verdict: false,
    data: { error: { code, message, request_id: requestId, details } },
  }),
  lakera: ({ code, message, details }, requestId) => ({ flagged: true, error: message, code, request_id: requestId, details }),
  openai: (error) => openAiError(error, OPENAI_CODES[error.code] ?? error.code),
};

/** What OpenAI's own API says (https://developers.openai.com/api/docs/guides/error-codes). */
const OPENAI_CODES: Readonly<Partial<Record<Refusal['code'], string>>> = {
  unauthorized: 'invalid_api_key',
  token_expired: 'invalid_api_key',
  rate_limited: 'rate_limit_exceeded',
};

function openAiError({ status, message, details }: Refusal, code: string): object {
  const places = details.map(({ pointer, message }) => (pointer === '' ? `It ${message}.` : `${pointer}: ${message}`));
  return {
    error: {
      message: [message, ...places].join(' '),
      type: typeOf(status),
      param: details[0]?.pointer.slice(1).replaceAll('/', '.') || null,
      code,
    },
  };
}

function typeOf(status: number): string {
  if (status >= 500) return 'server_error';
  return status === 429 ? 'requests' : 'invalid_request_error';
}
