export { Svc } from './client.ts';
export * from './errors.ts';
export { GuardedStream } from './guard-stream.ts';
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
