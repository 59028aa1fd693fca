import type { components, operations } from './api.ts';

type Success<Name extends keyof operations> =
  operations[Name]['responses'][200]['content']['application/json'];

/** `data` of a call's response. */
export type Data<Name extends keyof operations> = Success<Name>['data'];

/** The body of a call. */
export type Body<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Content } };
}
  ? Content
  : never;

/** The query of a call. */
export type Query<Name extends keyof operations> = NonNullable<
  operations[Name]['parameters']['query']
>;

export type Journey = components['schemas']['JourneyView'];
export type Offer = components['schemas']['OfferView'];
export type NextAction = components['schemas']['NextActionView'];
export type Lead = components['schemas']['LeadView'];
export type Product = components['schemas']['ProductView'];
export type WebhookSubscription = components['schemas']['SubscriptionView'];
export type WebhookDelivery = components['schemas']['DeliveryView'];
/** The body of a webhook about a journey. */
export type WebhookEvent = components['schemas']['WebhookEventView'];
/** The body of a webhook about a webhook or a key; sent only to webhooks that name it. */
export type WebhookAlert = components['schemas'][
  | 'EndpointFailingView'
  | 'EndpointDisabledView'
  | 'KeyLimitNearView'];
