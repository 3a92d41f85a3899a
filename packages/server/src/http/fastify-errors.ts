// Faults of the framework and of the database, in the codes of the API.

import { isConnectionFault } from '../storage/database.ts';
import { AppError } from './errors.ts';

const KIBIBYTE = 1_024;
const MEBIBYTE = 1_048_576;

/**
 * Makes an `AppError` of anything thrown; what is not known is an `internal_error` whose cause goes to the log alone. `bodyBytesMax`: of the
 * operation, where its body may be what is refused.
 */
export function toAppError(err: unknown, bodyBytesMax?: number): AppError {
  if (err instanceof AppError) return err;
  const code = err instanceof Error && 'code' in err && typeof err.code === 'string' ? err.code : '';
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge('The body is larger than this operation takes', bodyBytesMax);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as application/json.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('invalid_request', 'The body is not as long as Content-Length says.');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new AppError('invalid_request', 'The body is not valid JSON.');
    default:
  }
  // The client went away while it was sending: no fault of ours, and no one to tell.
  if (code === 'ECONNRESET' && isOfRequest(err)) return new AppError('invalid_request', 'The request ended before its body did.');
  // The JSON parser's own message quotes the body, so it is not passed on.
  if (err instanceof SyntaxError && 'statusCode' in err && err.statusCode === 400) {
    return new AppError('invalid_request', 'The body is not valid JSON.');
  }
  if (isConnectionFault(err)) {
    return new AppError('unavailable', 'The database cannot be reached right now. Repeat the request.', {
      headers: { 'retry-after': '1' },
      cause: err,
    });
  }
  return new AppError('internal_error', 'Something went wrong on our side. It is logged under the request id.', { cause: err });
}

/** `what`: without its full stop. */
export function tooLarge(what: string, bodyBytesMax?: number): AppError {
  const bound = bodyBytesMax === undefined ? '' : `, which is ${bytesInWords(bodyBytesMax)} at most`;
  return new AppError('payload_too_large', `${what}${bound}. Send less at a time.`);
}

function bytesInWords(bytes: number): string {
  return bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE} MiB` : `${bytes / KIBIBYTE} KiB`;
}

/** Node's own error of an incoming message that was cut off; those of sockets going out name an address or a call. */
function isOfRequest(err: unknown): boolean {
  return err instanceof Error && err.message === 'aborted' && !('syscall' in err);
}
