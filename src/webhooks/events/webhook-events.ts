import { STEP_EVENTS, type StepEventName } from '../../journey-steps/index.js';

const FIRST = [{ name: 'journey.initiated', meaning: 'A loan journey has been started' }] as const;
const LAST = [
  { name: 'journey.rejected', meaning: 'The application was declined' },
  { name: 'journey.abandoned', meaning: 'The journey was inactive for 7 days or more' },
] as const;

export type WebhookEventName = StepEventName | (typeof FIRST | typeof LAST)[number]['name'];

interface EventKind {
  readonly name: WebhookEventName;
  readonly meaning: string;
}

/** Every event that the contract names with what it means, in the order of a journey. */
export const EVENT_KINDS: readonly EventKind[] = [...FIRST, ...STEP_EVENTS, ...LAST];

export const WEBHOOK_EVENTS: readonly WebhookEventName[] = EVENT_KINDS.map(({ name }) => name);

export function isWebhookEventName(value: unknown): value is WebhookEventName {
  return (WEBHOOK_EVENTS as readonly unknown[]).includes(value);
}

/** What a partner has sent to itself; nobody subscribes to it. */
export const TEST_EVENT = 'webhook.test';
