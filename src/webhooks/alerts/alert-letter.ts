import type { PublishedAlert } from './published-alert.js';

/** The body of an alert's event, read again. */
export type ToldAlert = {
  [Name in PublishedAlert['name']]: {
    readonly event: Name;
    readonly data: Extract<PublishedAlert, { name: Name }>['data'];
  };
}[PublishedAlert['name']] & { readonly id: string; readonly createdAt: string };

/**
 * An alert as an e-mail: one sentence and one link. Like the event, it has ids and numbers only.
 * @param baseUrl of this service, without a slash at the end
 */
export function alertLetter(
  alert: ToldAlert,
  { service, baseUrl }: { readonly service: string; readonly baseUrl: string },
): { subject: string; text: string } {
  const { headline, sentence, guide } = contentOf(alert);
  return {
    subject: `${service}: ${headline}`,
    text: `${sentence}\n\n${baseUrl}/docs/${guide}\n`,
  };
}

interface Content {
  readonly headline: string;
  readonly sentence: string;
  readonly guide: string;
}

function contentOf(alert: ToldAlert): Content {
  switch (alert.event) {
    case 'webhook.endpoint_failing': {
      const { subscriptionId, failingSince, failureCount } = alert.data;
      return {
        headline: 'webhook endpoint failing',
        sentence: `The endpoint of subscription ${subscriptionId} has failed ${failureCount} times in a row since ${failingSince}; 20 failures over three days make it inactive.`,
        guide: 'webhooks',
      };
    }
    case 'webhook.endpoint_disabled': {
      const { subscriptionId, disabledAt, reason, failureCount } = alert.data;
      const cause = reason === 'GONE' ? 'a 410 response' : `${failureCount} failures in a row`;
      return {
        headline: 'webhook endpoint inactive',
        sentence: `The endpoint of subscription ${subscriptionId} has been inactive since ${disabledAt} after ${cause}; its events are kept for 30 days.`,
        guide: 'webhooks',
      };
    }
    case 'api_key.limit_near': {
      const { keyName, keyHint, day, used, limit } = alert.data;
      return {
        headline: 'API key near its limit',
        sentence: `The key "${keyName}" (${keyHint}) has used ${used} of its ${limit} requests of ${day}; at the limit, calls get 429 until midnight in India.`,
        guide: 'errors',
      };
    }
  }
}
