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

/** All events of the contract, in journey order. */
export const EVENT_KINDS: readonly EventKind[] = [...FIRST, ...STEP_EVENTS, ...LAST];

export const WEBHOOK_EVENTS: readonly WebhookEventName[] = EVENT_KINDS.map(({ name }) => name);

/** Of every lead, instant loans included. Not part of the contract's events. */
export const LEAD_EVENT = {
  name: 'lead.status_changed',
  meaning: 'The status of a lead has changed',
} as const;

/** Not part of the contract's events. */
const ALERTS = [
  {
    name: 'webhook.endpoint_failing',
    meaning: 'A webhook failed at least five times in a row: one delivery at a time is attempted',
  },
  {
    name: 'webhook.endpoint_disabled',
    meaning: 'A webhook became inactive: it answered 410, or failed for three days',
  },
  {
    name: 'api_key.limit_near',
    meaning: 'An API key has used at least 80% of its daily requests',
  },
] as const;

export type AlertName = (typeof ALERTS)[number]['name'];

/** A subscription gets only the alerts and lead events that it names. */
export const ALERT_KINDS: readonly { readonly name: AlertName; readonly meaning: string }[] =
  ALERTS;

const ALERT_NAMES: readonly AlertName[] = ALERT_KINDS.map(({ name }) => name);

export type EventName = WebhookEventName | typeof LEAD_EVENT.name | AlertName;

export const EVENT_NAMES: readonly EventName[] = [
  ...WEBHOOK_EVENTS,
  LEAD_EVENT.name,
  ...ALERT_NAMES,
];

/** Whether a subscription to all events gets it. */
export function isInAllEvents(name: EventName): boolean {
  return (WEBHOOK_EVENTS as readonly EventName[]).includes(name);
}

export function isEventName(value: unknown): value is EventName {
  return (EVENT_NAMES as readonly unknown[]).includes(value);
}

export function isAlertName(value: string): value is AlertName {
  return (ALERT_NAMES as readonly string[]).includes(value);
}

/** Sent only when a partner tests its webhook. */
export const TEST_EVENT = 'webhook.test';

/** PENDING is open, the others are final. */
const STORED_STATUSES = ['PENDING', 'SUCCEEDED', 'EXHAUSTED', 'CANCELLED'] as const;

export type StoredDeliveryStatus = (typeof STORED_STATUSES)[number];

/** As displayed: PAUSED is an open delivery of an inactive subscription. */
export const DELIVERY_STATUSES = [...STORED_STATUSES, 'PAUSED'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
