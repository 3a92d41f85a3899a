export { Svc } from './client.ts';
export {
  CheckpointError,
  CheckpointMemory,
  MemoryStore,
  verifyEventProof,
  type CheckedCheckpoint,
  type Checkpoint,
  type CheckpointRule,
  type CheckpointStore,
  type ProvedEvent,
} from './checkpoints.ts';
export {
  ApiError,
  ConflictError,
  ConnectionError,
  IdempotencyMismatchError,
  InsufficientPermissionsError,
  InvalidRequestError,
  IpNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  SvcError,
  TimeoutError,
  TokenExpiredError,
  UnauthorizedError,
  type ErrorDetail,
} from './errors.ts';
export { GuardedStream, type TextSource } from './guard-stream.ts';
export { Pages, type Page } from './pages.ts';
export type { RequestOptions, SvcOptions } from './transport.ts';
export type * from './generated/types.ts';
export {
  verifySignature256,
  verifyWebhook,
  WebhookVerificationError,
  type VerifyOptions,
  type WebhookDelivery,
  type WebhookRule,
} from './webhooks.ts';
export { VERSION } from './version.ts';
