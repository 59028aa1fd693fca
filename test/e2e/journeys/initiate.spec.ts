import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loanRequest, shortLoanRequest } from '../../support/loan-requests.js';
import { journeyBench } from './journey-bench.js';

const GOLD = { jewellaryList: ['necklace'], grams: '42.5' };
const PLAIN_STEPS = ['OFFERS', 'KYC', 'BANK_ACCOUNT', 'MANDATE', 'ESIGN', 'DISBURSEMENT'];
const GOLD_STEPS = ['OFFERS', 'BRANCH', 'KYC', 'BANK_ACCOUNT', 'ESIGN', 'DISBURSEMENT'];

const bench = journeyBench();

async function rowOf(journeyId: string) {
  const [row] = await bench.query('SELECT * FROM journeys WHERE id = $1', [journeyId]);
  return row;
}

describe('200: a journey is started', () => {
  it.each([
    ['A', 'API_HEADLESS', 'ONLINE_SHORT_TERM', 'ONLINE_SHORT_TERM'],
    ['A', 'API_HOSTED', 'ONLINE_GOLD', 'ONLINE_GOLD'],
    ['B', 'API_HEADLESS', 'GOLD_LOAN', 'ONLINE_GOLD'],
    ['B', 'API_HOSTED', 'ONLINE_BUSINESS', 'ONLINE_BUSINESS'],
  ] as const)(
    'variant %s, %s, %s: journey, lead and event are there at once',
    async (variant, channel, productCode, code) => {
      const own = { channel, productCode, loanAmount: 150_000.5 };
      const body =
        variant === 'A'
          ? loanRequest(own)
          : { ...shortLoanRequest(), ...own, goldLoanDetails: GOLD };
      const { status, json } = await bench.demo.initiate(body);
      expect([status, json.success]).toEqual([200, true]);
      const isHosted = channel === 'API_HOSTED';
      const { journeyId, applicationId, hostedUrl, journeySession } = json.data;
      const token = expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string;
      expect({ ...json.data, ...(isHosted && { hostedUrl: hostedUrl.split('/').at(-1) }) }).toEqual(
        {
          journeyId: expect.stringMatching(/^jrn_[0-9a-f]{32}$/),
          applicationId: expect.stringMatching(/^app_[0-9a-f]{32}$/),
          ...(isHosted
            ? { nextAction: { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' }, hostedUrl: token }
            : {
                nextAction: { type: 'POLL_LENDER_OFFERS', category: 'POLL' },
                journeySession: token,
              }),
        },
      );
      expect(await rowOf(journeyId)).toMatchObject({
        partner_id: bench.service.partnerId,
        application_id: applicationId,
        channel,
        product_code: code,
        loan_amount: 15_000_050,
        loan_amount_source: 'PARTNER',
        steps: code === 'ONLINE_GOLD' ? GOLD_STEPS : PLAIN_STEPS,
      });
      const leads = await bench.query(
        'SELECT id, partner_id, loan_type, loan_amount FROM applications WHERE journey_id = $1',
        [journeyId],
      );
      expect(leads).toEqual([
        {
          id: applicationId,
          partner_id: bench.service.partnerId,
          loan_type: code,
          loan_amount: 15_000_050,
        },
      ]);
      const [{ body: event }] = await bench.query<{ body: string }>(
        'SELECT body FROM webhook_events WHERE journey_id = $1 AND sequence = 1',
        [journeyId],
      );
      expect(JSON.parse(event)).toMatchObject({
        event: 'journey.initiated',
        journeyId,
        applicationId,
        data: { productCode: code, channel, state: 'INITIATED', outcome: 'IN_PROGRESS' },
      });
      const read = await bench.demo.journey(journeyId, journeySession);
      expect(read.json.data.productCode).toBe(code);
    },
  );

  it('is written in one transaction: journey, lead, event, audit row and link', async () => {
    const { json } = await bench.demo.initiate(loanRequest({ channel: 'API_HOSTED' }));
    // A row's xmin is the transaction that wrote it; no background work changes a hosted journey.
    const tables = ['applications', 'webhook_events', 'journey_audit', 'hosted_links'];
    const writers = await bench.query<{ writer: string }>(
      `SELECT xmin::text AS writer FROM journeys WHERE id = $1 UNION ALL ${tables
        .map((table) => `SELECT xmin::text FROM ${table} WHERE journey_id = $1`)
        .join(' UNION ALL ')}`,
      [json.data.journeyId],
    );
    expect(writers).toHaveLength(5);
    expect(new Set(writers.map(({ writer }) => writer)).size).toBe(1);
  });

  it('stores the session and the hosted link as hashes alone, and asks every lender about a headless journey, none about a hosted one', async () => {
    const headless = (await bench.demo.initiate(loanRequest())).json.data;
    const hosted = (await bench.demo.initiate(loanRequest({ channel: 'API_HOSTED' }))).json.data;
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const session = { session_hash: sha256(headless.journeySession) };
    expect(await rowOf(headless.journeyId)).toMatchObject(session);
    expect(await rowOf(hosted.journeyId)).toMatchObject({
      session_hash: null,
      offers_due_at: null,
      offers_given_up_at: null,
    });
    const token = hosted.hostedUrl.split('/').at(-1)!;
    const links = await bench.query(
      `SELECT token_hash, used_at, extract(epoch FROM expires_at - created_at)::int AS seconds
       FROM hosted_links WHERE journey_id = $1`,
      [hosted.journeyId],
    );
    expect(links).toEqual([{ token_hash: sha256(token), used_at: null, seconds: 72 * 3600 }]);
    const asked = await bench.query(
      `SELECT lender_code AS lender, subject_id AS journey FROM lender_questions
       WHERE subject_id = ANY ($1) ORDER BY 1`,
      [[headless.journeyId, hosted.journeyId]],
    );
    const journey = headless.journeyId;
    expect(asked).toEqual(
      ['kaverisetu', 'navdhara', 'tarangudyam'].map((lender) => ({ lender, journey })),
    );
  });

  it('takes the key’s defaults and the product’s amount for what variant B leaves out', async () => {
    const { json } = await bench.demo.initiate(shortLoanRequest());
    expect(await rowOf(json.data.journeyId)).toMatchObject({
      channel: 'API_HEADLESS',
      product_code: 'ONLINE_PERSONAL',
      loan_amount: 20_000_000,
      loan_amount_source: 'DEFAULT',
    });
  });
});
