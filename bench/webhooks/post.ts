import { built } from '../support/built-service.ts';
import { eventBodyOf, secretOf, subscriptionId } from './data.ts';

type Platform = typeof import('../../src/platform/index.js');
type Headers = typeof import('../../src/webhooks/sender/signatures.js');

const DEADLINE_MS = 5_000;
const MAX_RESPONSE_BYTES = 16 * 1_024;

/** A queue's job: all input for signing and posting. */
export interface Job {
  readonly url: string;
  readonly subscriptionId: string;
  readonly secret: string;
  readonly eventId: string;
  readonly body: string;
}

export function jobOf(place: number, subscriptions: number, receiverPorts: readonly number[]): Job {
  const subscription = place % subscriptions;
  const eventId = `evt_${String(place).padStart(32, '0')}`;
  return {
    url: `${receiverOf(receiverPorts, subscription)}/hooks/${subscription}`,
    subscriptionId: subscriptionId(subscription),
    secret: secretOf(subscription),
    eventId,
    body: eventBodyOf(eventId),
  };
}

/** Each subscription has its own receiver, as partners do. */
export function receiverOf(ports: readonly number[], subscription: number): string {
  return `http://127.0.0.1:${ports[subscription % ports.length]}`;
}

export interface Poster {
  /** Signs and posts like the service. @throws Error when the response failed */
  post(job: Job): Promise<void>;
  close(): Promise<void>;
}

/** The service's own signing and HTTP client, without anything else. */
export async function makePoster(): Promise<Poster> {
  const { OutboundClient } = await built<Platform>('src/platform/index.js');
  const { deliveryHeaders } = await built<Headers>('src/webhooks/sender/signatures.js');
  const client = new OutboundClient({ isLoopback: true } as never);
  return {
    post: async ({ url, secret, eventId, body, ...job }) => {
      const headers = deliveryHeaders({
        slug: 'rinpath',
        subscriptionId: job.subscriptionId,
        eventId,
        eventName: 'journey.initiated',
        body,
        attempt: 1,
        timestamp: Math.floor(Date.now() / 1_000),
        secret,
        previousSecrets: [],
      });
      const { status } = await client.post(url, {
        headers,
        body,
        deadlineMs: DEADLINE_MS,
        maxResponseBytes: MAX_RESPONSE_BYTES,
      });
      if (status !== 200) throw new Error(`the receiver answered ${status}`);
    },
    close: () => client.close(),
  };
}
