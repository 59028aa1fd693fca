/** Every event that the contract names, in the order of a journey. */
export const WEBHOOK_EVENTS = [
  'journey.initiated',
  'journey.offers_received',
  'journey.offer_selected',
  'journey.kyc_done',
  'journey.enach_done',
  'journey.esign_done',
  'journey.completed',
  'journey.rejected',
  'journey.abandoned',
] as const;

export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number];

export function isWebhookEventName(value: unknown): value is WebhookEventName {
  return (WEBHOOK_EVENTS as readonly unknown[]).includes(value);
}

/** What a partner has sent to itself; nobody subscribes to it. */
export const TEST_EVENT = 'webhook.test';
