import type { Client } from 'pg';
import { RARE_CODE } from './requests-data.ts';
import type { Subscriptions } from './webhooks-data.ts';

/** Known rows of the data. */
export interface Known extends Subscriptions {
  /** Has more of everything than its page shows. */
  readonly busyJourney: string;
  readonly instantLoan: string;
}

export interface ShownPage {
  readonly name: string;
  readonly path: string;
  /** For a posted form. */
  readonly form?: Readonly<Record<string, string>>;
}

/** The measured pages, each with filters and cursors that need more or less work. */
export async function shownPages(client: Client, known: Known): Promise<ShownPage[]> {
  const found = await ids(client, known);
  return [
    { name: 'overview', path: '/workbench' },
    ...journeyPages(known, found),
    ...webhookPages(known, found),
    ...requestPages(known, found),
    { name: 'signature debugger', path: '/workbench/signature' },
    {
      name: 'the same, filled from a refused call',
      path: `/workbench/signature?request=${found.refused}`,
    },
    {
      name: 'the same, explaining a signature',
      path: '/workbench/signature',
      form: explainedForm(found.key),
    },
    { name: 'sandbox', path: '/workbench/sandbox' },
    { name: 'guide', path: '/workbench/guide' },
  ];
}

type Found = Readonly<Record<keyof typeof IDS, string>>;

function journeyPages({ busyJourney, instantLoan }: Known, found: Found): ShownPage[] {
  const list = '/workbench/journeys';
  return [
    { name: 'journeys', path: list },
    { name: 'in a frequent state', path: `${list}?status=ABANDONED` },
    { name: 'in a rare state', path: `${list}?status=KYC_PENDING` },
    { name: 'in a state that none is in', path: `${list}?status=ESIGN_PENDING` },
    { name: 'of a product', path: `${list}?product=ONLINE_PERSONAL` },
    { name: 'of a product and a state', path: `${list}?product=ONLINE_PERSONAL&status=REJECTED` },
    { name: 'of a product without any', path: `${list}?product=ONLINE_GOLD` },
    { name: 'the last page', path: `${list}?before=${found.oldLead}` },
    { name: 'the last page of a state', path: `${list}?status=REJECTED&before=${found.oldLead}` },
    { name: 'of an id that there is not', path: `${list}?id=jrn_${'0'.repeat(32)}` },
    { name: 'a journey', path: `${list}/${found.journey}` },
    { name: 'a journey with more than is shown', path: `${list}/${busyJourney}` },
    { name: 'an instant loan', path: `/workbench/journeys/${instantLoan}` },
  ];
}

function webhookPages({ working, inactive }: Known, found: Found): ShownPage[] {
  const pageOf = (id: string) => `/workbench/webhooks/${id}`;
  const [one, other] = [pageOf(working), pageOf(inactive)];
  return [
    { name: 'webhooks', path: '/workbench/webhooks' },
    { name: 'a webhook', path: one },
    { name: 'its failed deliveries', path: `${one}?status=EXHAUSTED` },
    { name: 'its deliveries of a status without any', path: `${one}?status=CANCELLED` },
    { name: 'its deliveries, the last page', path: `${one}?before=${found.oldDelivery}` },
    { name: 'an inactive webhook', path: other },
    { name: 'its waiting deliveries', path: `${other}?status=PAUSED` },
    { name: 'its pending deliveries', path: `${other}?status=PENDING` },
    { name: 'a delivery', path: `${one}/deliveries/${found.delivery}` },
    { name: 'a delivery with twelve attempts', path: `${one}/deliveries/${found.failed}` },
  ];
}

function requestPages({ busyJourney }: Known, found: Found): ShownPage[] {
  const list = '/workbench/requests';
  const route = encodeURIComponent('/journey/:journeyId');
  return [
    { name: 'requests', path: list },
    { name: 'that succeeded', path: `${list}?status=2xx` },
    { name: 'that failed', path: `${list}?status=4xx` },
    { name: 'that failed by our fault', path: `${list}?status=5xx` },
    { name: 'of a frequent code', path: `${list}?code=validation_failed` },
    { name: 'of a rare code', path: `${list}?code=${RARE_CODE}` },
    { name: 'of a code that there is not', path: `${list}?code=nothing` },
    { name: 'by GET', path: `${list}?method=GET` },
    { name: 'by POST', path: `${list}?method=POST` },
    { name: 'by DELETE, of which there are none', path: `${list}?method=DELETE` },
    { name: 'of a route', path: `${list}?route=${route}` },
    { name: 'of a route that there is not', path: `${list}?route=%2Fnothing` },
    {
      name: 'of a write',
      path: `${list}?method=POST&route=${encodeURIComponent('/instant-loans')}`,
    },
    { name: 'with a part of a path that is in none', path: `${list}?path=nothing` },
    { name: 'of a key that there is not', path: `${list}?key=nothing` },
    { name: 'of a journey', path: `${list}?subject=${found.journey}` },
    { name: 'of a journey that was polled for hours', path: `${list}?subject=${busyJourney}` },
    { name: 'its failures', path: `${list}?subject=${busyJourney}&status=4xx` },
    { name: 'with our request id', path: `${list}?request=${found.request}` },
    { name: 'with the caller’s', path: `${list}?request=${found.given}` },
    { name: 'with one that there is not', path: `${list}?request=nothing` },
    { name: 'a page of six days ago', path: `${list}?before=${found.oldRequest}` },
    {
      name: 'failures of a code, six days ago',
      path: `${list}?code=rate_limited&before=${found.oldRequest}`,
    },
    {
      name: 'writes with a part of a path, failed',
      path: `${list}?method=POST&status=4xx&path=nothing`,
    },
    { name: 'a request', path: `${list}/${found.request}` },
    { name: 'a refused request', path: `${list}/${found.refused}` },
  ];
}

function explainedForm(key: string): Record<string, string> {
  return {
    key,
    method: 'POST',
    target: '/api/v1/partner/journey/initiate',
    timestamp: String(Math.floor(Date.now() / 1_000)),
    nonce: '3f2b8c1e-5d4a-4e6f-8a7b-9c0d1e2f3a4b',
    signature: 'a'.repeat(64),
    body: JSON.stringify({ channel: 'API_HEADLESS', mobile: '9876543210' }, null, 2),
  };
}

const REQUEST_ID = `'req_' || replace(id::text, '-', '')`;
const REQUESTS = `FROM partner_requests WHERE partner_id = 'demo'`;

const IDS = {
  journey: `SELECT id FROM journeys WHERE partner_id = 'demo' AND state = 'KYC_PENDING' ORDER BY id DESC LIMIT 1`,
  oldLead: `SELECT id FROM applications WHERE partner_id = 'demo' ORDER BY submitted_at, id OFFSET 60 LIMIT 1`,
  delivery: `SELECT id FROM webhook_deliveries WHERE subscription_id = $1 ORDER BY id DESC LIMIT 1`,
  oldDelivery: `SELECT id FROM webhook_deliveries WHERE subscription_id = $1 ORDER BY id OFFSET 30 LIMIT 1`,
  failed: `SELECT id FROM webhook_deliveries WHERE subscription_id = $1 AND attempts = 12 LIMIT 1`,
  request: `SELECT ${REQUEST_ID} AS id ${REQUESTS} ORDER BY at DESC OFFSET 1000 LIMIT 1`,
  oldRequest: `SELECT ${REQUEST_ID} AS id ${REQUESTS} AND at < now() - interval '6 days' ORDER BY at DESC LIMIT 1`,
  given: `SELECT given_id AS id ${REQUESTS} AND given_id IS NOT NULL AND at < now() - interval '5 days' LIMIT 1`,
  refused: `SELECT ${REQUEST_ID} AS id ${REQUESTS} AND code = 'invalid_signature' ORDER BY at DESC LIMIT 1`,
  key: `SELECT id FROM api_keys WHERE partner_id = 'demo' ORDER BY id LIMIT 1`,
};

async function ids(client: Client, { working }: Known): Promise<Found> {
  const found: Record<string, string> = {};
  for (const [name, sql] of Object.entries(IDS)) {
    const { rows } = await client.query<{ id: string }>(sql, sql.includes('$1') ? [working] : []);
    if (!rows[0]) throw new Error(`nothing is there for ${name}`);
    found[name] = rows[0].id;
  }
  return found as Found;
}
