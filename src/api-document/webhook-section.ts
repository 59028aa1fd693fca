import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import {
  ALERT_KINDS,
  ALERT_VIEWS,
  EVENT_KINDS,
  TEST_EVENT,
  WebhookEventView,
  WebhookTestEventView,
} from '../webhooks/index.js';
import type { Operation } from './complete-operation.js';
import { TAGS } from './document-text.js';

type Webhooks = NonNullable<OpenAPIObject['webhooks']>;
type Parameter = NonNullable<Operation['parameters']>[number];

const DELIVERY =
  'Sent as POST to the subscription’s address. Verify the signature over the raw bytes before ' +
  'anything is parsed, answer 2xx within 5 seconds, and be idempotent: an event may come more ' +
  'than once. What fails is tried again, 12 times over a little more than two days.';

const ALERT_DELIVERY =
  'Sent as POST to subscriptions that name it, but for the one that it tells of, and signed and tried ' +
  'again like every event.';

const TEST_DELIVERY =
  'Sent once, as POST to the subscription’s address, while the call that asked for it waits for the ' +
  'answer. Signed like every event.';

/** @param slug names the headers */
export function webhookSection(slug: string): Webhooks {
  const events = EVENT_KINDS.map(({ name, meaning }) => [
    name,
    { post: eventDelivery(name, meaning, slug) },
  ]);
  const alerts = ALERT_KINDS.map(({ name, meaning }) => {
    const schema = { $ref: getSchemaPath(ALERT_VIEWS[name]) };
    return [name, { post: delivery(name, slug, meaning, ALERT_DELIVERY, schema) }];
  });
  const ofAll = Object.fromEntries([...events, ...alerts]) as object;
  return { ...ofAll, [TEST_EVENT]: { post: testDelivery(slug) } };
}

function eventDelivery(name: string, meaning: string, slug: string): Operation {
  return delivery(name, slug, meaning, DELIVERY, {
    allOf: [
      { $ref: getSchemaPath(WebhookEventView) },
      { type: 'object', properties: { event: { type: 'string', enum: [name] } } },
    ],
  });
}

function testDelivery(slug: string): Operation {
  const schema = { $ref: getSchemaPath(WebhookTestEventView) };
  return delivery(TEST_EVENT, slug, 'A test was asked for', TEST_DELIVERY, schema);
}

function delivery(
  name: string,
  slug: string,
  summary: string,
  description: string,
  schema: object,
): Operation {
  return {
    tags: [TAGS.webhooks.name],
    operationId: `on_${name.replaceAll('.', '_')}`,
    summary,
    description,
    // The signature proves the sender; the rest is the receiver's business.
    security: [],
    parameters: headers(slug),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema },
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
    header(`x-${slug}-subscription-id`, 'The subscription that this is sent for.'),
    header('webhook-id', 'Standard Webhooks: the event’s id.'),
    header('webhook-timestamp', 'Standard Webhooks: Unix time in seconds.'),
    header(
      'webhook-signature',
      'Standard Webhooks: v1, signatures separated by blanks, one for each secret of the last 24 hours.',
    ),
  ];
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}
