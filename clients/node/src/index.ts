export type { paths } from './api.ts';
export { RinpathClient } from './client.ts';
export type { SessionOptions, StartOptions, WaitOptions } from './client.ts';
export { RinpathConnectionError, RinpathError } from './errors.ts';
export type { InvalidField } from './errors.ts';
export { signingMiddleware } from './middleware.ts';
export type { SigningMiddleware } from './middleware.ts';
export type {
  Body,
  Data,
  Journey,
  Lead,
  NextAction,
  Offer,
  Product,
  Query,
  WebhookDelivery,
  WebhookAlert,
  WebhookEvent,
  WebhookSubscription,
} from './operations.ts';
export { freshStamp, signedHeaders, signRequest } from './signature.ts';
export type { KeyPair, RequestStamp, SignableRequest } from './signature.ts';
export type { Retry, TransportOptions as ClientOptions } from './transport.ts';
export { verifyWebhook, WebhookVerificationError } from './webhooks.ts';
export type { Mistake, VerifiedWebhook, VerifyOptions, WebhookHeaders } from './webhooks.ts';
