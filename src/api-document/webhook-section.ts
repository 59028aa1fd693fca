import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { WEBHOOK_EVENTS, type WebhookEventName, WebhookEventView } from '../webhooks/index.js';
import type { Operation } from './complete-operation.js';
import { TAGS } from './document-text.js';

type Webhooks = NonNullable<OpenAPIObject['webhooks']>;
type Parameter = NonNullable<Operation['parameters']>[number];

const TRIGGERS: Record<WebhookEventName, string> = {
  'journey.initiated': 'A loan journey has been started',
  'journey.offers_received': 'Lender offers are available for selection',
  'journey.offer_selected': 'An offer has been selected',
  'journey.kyc_done': 'The applicant’s KYC is completed',
  'journey.enach_done': 'The eNACH mandate is authorized',
  'journey.esign_done': 'The loan agreement is signed',
  'journey.completed': 'The loan is disbursed; the journey is SANCTIONED',
  'journey.rejected': 'The application was declined',
  'journey.abandoned': 'The journey was inactive for 7 days or more',
};

const DELIVERY =
  'Sent as POST to the subscription’s address. Verify the signature over the raw bytes before ' +
  'anything is parsed, answer 2xx within 5 seconds, and be idempotent: an event may come more ' +
  'than once. What fails is tried again, 12 times over a little more than two days.';

/** What the service sends, one entry for each event. @param slug names the headers */
export function webhookSection(slug: string): Webhooks {
  return Object.fromEntries(WEBHOOK_EVENTS.map((name) => [name, { post: delivery(name, slug) }]));
}

function delivery(name: WebhookEventName, slug: string): Operation {
  return {
    tags: [TAGS.webhooks.name],
    operationId: `on_${name.replaceAll('.', '_')}`,
    summary: TRIGGERS[name],
    description: DELIVERY,
    // The receiver's own business; what proves the sender is the signature.
    security: [],
    parameters: headers(slug),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: getSchemaPath(WebhookEventView) },
              { type: 'object', properties: { event: { type: 'string', enum: [name] } } },
            ],
          },
        },
      },
    },
    responses: {
      '200': { description: 'Received; any 2xx counts as such.' },
      '400': { description: 'The signature is not right; the delivery is tried again.' },
      '410': { description: 'Send nothing more: the subscription is made inactive.' },
      '429': { description: 'Too fast; Retry-After is honoured up to an hour.' },
    },
  };
}

function headers(slug: string): Parameter[] {
  return [
    header(`x-${slug}-signature`, 'Hex HMAC-SHA256 of the raw body; key: the whole secret.'),
    header(`x-${slug}-event`, 'The event’s name.'),
    header(`x-${slug}-event-id`, 'The event’s id, to tell what has been seen before.'),
    header(`x-${slug}-attempt`, 'Counts the attempts of this delivery from 1.'),
    header('webhook-id', 'Standard Webhooks: the event’s id.'),
    header('webhook-timestamp', 'Standard Webhooks: Unix time in seconds.'),
    header('webhook-signature', 'Standard Webhooks: v1, signatures parted by blanks.'),
  ];
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}
