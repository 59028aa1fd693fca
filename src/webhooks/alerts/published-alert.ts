import type { AlertName } from '../domain/webhook-events.js';

/** `GONE`: it answered 410. `FAILING`: 20 failures in a row over three days. */
export const DISABLED_REASONS = ['GONE', 'FAILING'] as const;

/** What each alert tells; ids and numbers alone, since a webhook's address can hold a secret. */
interface AlertData {
  'webhook.endpoint_failing': {
    readonly subscriptionId: string;
    readonly failingSince: string;
    readonly failureCount: number;
  };
  'webhook.endpoint_disabled': {
    readonly subscriptionId: string;
    readonly disabledAt: string;
    readonly reason: (typeof DISABLED_REASONS)[number];
    readonly failureCount: number;
  };
  'api_key.limit_near': {
    readonly keyName: string;
    readonly keyHint: string;
    /** In India. */
    readonly day: string;
    readonly used: number;
    readonly limit: number;
  };
}

interface Alert<Name extends AlertName> {
  readonly partnerId: string;
  readonly name: Name;
  /** The subscription or the key. */
  readonly subjectId: string;
  /** Since when it is so: the same since the same moment is told once. */
  readonly since: Date;
  readonly data: AlertData[Name];
}

/** What a partner is to be told of its own webhooks or keys. */
export type PublishedAlert = { [Name in AlertName]: Alert<Name> }[AlertName];

/** The body of every delivery of an alert, made once and kept as text like that of an event. */
export function alertBody(id: string, { name, data }: PublishedAlert, createdAt: Date): string {
  const told = { id, event: name, createdAt: createdAt.toISOString(), apiVersion: 'v1', data };
  return JSON.stringify(told);
}
