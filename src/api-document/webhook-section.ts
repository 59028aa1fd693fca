import type { OpenAPIObject } from '@nestjs/swagger';
import {
  jsonContent,
  type JsonSchema,
  type Operation,
  parameter,
  reference,
  type Schemas,
} from '../platform/index.js';
import {
  ALERT_KINDS,
  ALERT_VIEWS,
  EVENT_KINDS,
  LEAD_EVENT,
  LeadEventView,
  TEST_EVENT,
  type WebhookEventName,
  WebhookEventView,
  WebhookTestEventView,
} from '../webhooks/index.js';
import { TAGS } from './document-text.js';

type Webhooks = NonNullable<OpenAPIObject['webhooks']>;

const DELIVERY =
  'Sent as POST to the subscription’s URL. Verify the signature over the raw bytes before ' +
  'parsing, answer 2xx within 5 seconds, and be idempotent: an event may arrive more ' +
  'than once. Failed deliveries are retried 12 times over a little more than two days.';

const LEAD_DELIVERY =
  'Sent as POST to subscriptions that name it, for every lead, instant loans included. Signed and retried like ' +
  'every event.';

const ALERT_DELIVERY =
  'Sent as POST to subscriptions that name it, except the subscription that it reports. Signed and retried ' +
  'like every event.';

const TEST_DELIVERY =
  'Sent once, as POST to the subscription’s URL, while the test call waits for the ' +
  'result. Signed like every event.';

/** @param slug names the headers */
export function webhookSection(slug: string, schemas: Schemas): Webhooks {
  const bodyOf = (schema: JsonSchema, summary: string, own?: object) =>
    jsonContent(schema, { body: { summary, value: schemas.example(schema, own) } });
  const events = EVENT_KINDS.map(({ name, meaning }) => {
    const schema = {
      allOf: [
        modelOf(WebhookEventView),
        { type: 'object', properties: { event: { type: 'string', enum: [name] } } },
      ],
    };
    return delivery(slug, name, meaning, DELIVERY, bodyOf(schema, meaning, eventExample(name)));
  });
  const { name: leadEvent, meaning: changed } = LEAD_EVENT;
  const leadBody = bodyOf(modelOf(LeadEventView), changed);
  const lead = delivery(slug, leadEvent, changed, LEAD_DELIVERY, leadBody);
  const alerts = ALERT_KINDS.map(({ name, meaning }) =>
    delivery(slug, name, meaning, ALERT_DELIVERY, bodyOf(modelOf(ALERT_VIEWS[name]), meaning)),
  );
  const asked = 'A test was requested';
  const body = bodyOf(modelOf(WebhookTestEventView), asked);
  const test = delivery(slug, TEST_EVENT, asked, TEST_DELIVERY, body);
  return Object.fromEntries([...events, lead, ...alerts, test]);
}

const modelOf = ({ name }: { name: string }) => reference('schemas', name);

function delivery(
  slug: string,
  name: string,
  summary: string,
  description: string,
  body: ReturnType<typeof jsonContent>,
): [string, { post: Operation }] {
  const post = {
    tags: [TAGS.webhooks.name],
    operationId: `on_${name.replaceAll('.', '_')}`,
    summary,
    description,
    // The signature proves the sender; the receiver needs no other credentials.
    security: [],
    parameters: [
      header(`x-${slug}-signature`, 'Hex HMAC-SHA256 of the raw body; key: the whole secret.'),
      header(`x-${slug}-event`, 'The event’s name.'),
      header(`x-${slug}-event-id`, 'The event’s id, to deduplicate.'),
      header(`x-${slug}-attempt`, 'Counts the attempts of this delivery from 1.'),
      header(`x-${slug}-subscription-id`, 'The subscription that receives the event.'),
      header('webhook-id', 'Standard Webhooks: the event’s id.'),
      header('webhook-timestamp', 'Standard Webhooks: Unix time in seconds.'),
      header(
        'webhook-signature',
        'Standard Webhooks: v1 signatures separated by spaces, one for each secret of the last 24 hours.',
      ),
    ],
    requestBody: { required: true, ...body },
    responses: {
      '200': { description: 'Received; any 2xx counts.' },
      '400': { description: 'The signature is invalid; the delivery is retried.' },
      '410': { description: 'Send nothing more; the subscription becomes inactive.' },
      '429': { description: 'Too fast; Retry-After is honoured up to an hour.' },
    },
  };
  return [name, { post }];
}

const header = (name: string, description: string) => parameter('header', name, description);

type Moment = readonly [sequence: number, state: string, type: string, category: string];

/** From three personal loans: one paid out, one refused at KYC, one abandoned. */
const MOMENTS: Readonly<Record<WebhookEventName, Moment>> = {
  'journey.initiated': [1, 'INITIATED', 'POLL_LENDER_OFFERS', 'POLL'],
  'journey.offers_received': [2, 'OFFERS_RECEIVED', 'SELECT_OFFER', 'ACTION'],
  'journey.offer_selected': [3, 'KYC_PENDING', 'REDIRECT_TO_KYC', 'REDIRECT'],
  'journey.kyc_done': [4, 'BANK_ACCOUNT_PENDING', 'SUBMIT_BANK_ACCOUNT', 'ACTION'],
  'journey.enach_done': [5, 'ESIGN_PENDING', 'REDIRECT_TO_ESIGN', 'REDIRECT'],
  'journey.esign_done': [6, 'DISBURSEMENT_PENDING', 'POLL_DISBURSEMENT', 'POLL'],
  'journey.completed': [7, 'SANCTIONED', 'JOURNEY_COMPLETED', 'DONE'],
  'journey.rejected': [4, 'REJECTED', 'JOURNEY_REJECTED', 'DONE'],
  'journey.abandoned': [3, 'ABANDONED', 'JOURNEY_ABANDONED', 'DONE'],
};

/** The fields that differ from the schema's examples. A test compares them with a real journey's events. */
function eventExample(name: WebhookEventName): object {
  const [sequence, state, type, category] = MOMENTS[name];
  const outcome = category === 'DONE' ? state : 'IN_PROGRESS';
  const reason = name === 'journey.rejected' && { outcomeReason: 'KYC_FAILED' };
  return { sequence, data: { state, nextAction: { type, category }, outcome, ...reason } };
}
