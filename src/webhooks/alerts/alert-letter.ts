import type { PublishedAlert } from './published-alert.js';

/** The body of an alert's event, read again. */
export type ToldAlert = {
  [Name in PublishedAlert['name']]: {
    readonly event: Name;
    readonly data: Extract<PublishedAlert, { name: Name }>['data'];
  };
}[PublishedAlert['name']] & { readonly id: string; readonly createdAt: string };

/**
 * An alert as an e-mail: what happened, since when, and what to do. It holds ids and numbers alone, like the event.
 * @param baseUrl of this service, without a slash at the end
 */
export function alertLetter(
  alert: ToldAlert,
  { service, baseUrl }: { readonly service: string; readonly baseUrl: string },
): { subject: string; text: string } {
  const { headline, lines, guide } = contentOf(alert);
  const text = [
    ...lines,
    `More: ${baseUrl}/docs/${guide}`,
    `Found at ${alert.createdAt}. Alert ${alert.id}: GET /events has it, too.`,
  ].join('\n\n');
  return { subject: `${service}: ${headline}`, text: `${text}\n` };
}

interface Content {
  readonly headline: string;
  readonly lines: readonly string[];
  readonly guide: string;
}

function contentOf(alert: ToldAlert): Content {
  switch (alert.event) {
    case 'webhook.endpoint_failing': {
      const { subscriptionId, failingSince, failureCount } = alert.data;
      return {
        headline: 'a webhook endpoint fails',
        lines: [
          `The endpoint of subscription ${subscriptionId} has failed ${failureCount} times in a row since ${failingSince}.`,
          'It is tried again and again, with longer waits. After 20 failures over three days it goes inactive.',
        ],
        guide: 'webhooks',
      };
    }
    case 'webhook.endpoint_disabled': {
      const { subscriptionId, disabledAt, reason, failureCount } = alert.data;
      const cause =
        reason === 'GONE'
          ? 'it answered 410'
          : `it failed ${failureCount} times in a row over three days`;
      return {
        headline: 'a webhook endpoint is inactive',
        lines: [
          `Nothing has been sent to the endpoint of subscription ${subscriptionId} since ${disabledAt}: ${cause}.`,
          'Its events are kept for 30 days. Mend the endpoint, enable the subscription, and recover what waits.',
        ],
        guide: 'webhooks',
      };
    }
    case 'api_key.limit_near': {
      const { keyName, keyHint, day, used, limit } = alert.data;
      return {
        headline: 'an API key is near its limit',
        lines: [
          `The key "${keyName}" (${keyHint}) has used ${used} of its ${limit} requests of ${day}, a day in India.`,
          'At the limit, calls answer 429 until midnight in India.',
        ],
        guide: 'errors',
      };
    }
  }
}
