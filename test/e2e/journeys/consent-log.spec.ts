import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { CONSENT_VERSION } from '../../../src/consents/consent-texts.js';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import type { LenderQuestion } from '../../../src/lenders/index.js';
import { eventually } from '../../support/eventually.js';
import { signedIn, startHosted } from '../../support/hosted-client.js';
import { instantLoanRequest } from '../../support/instant-loans.js';
import { loanRequest } from '../../support/loan-requests.js';
import { pauseTask } from '../../support/paused-task.js';
import { DAY, journeyBench } from './journey-bench.js';

const NAMED = ['tarangudyam', 'kaverisetu'];
const LENDERS = ['kaverisetu', 'navdhara', 'tarangudyam'];
const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

interface Row extends Record<string, unknown> {
  readonly shown_text: string | null;
  readonly lender_codes: string[];
  readonly given_at: Date;
  readonly came_by: string;
}

const bench = journeyBench();

// Otherwise the journey could be abandoned when its offers expire.
beforeAll(() => void pauseTask(bench.service, AbandonmentTasks, 'abandonment', 'run'));

function rowsOf(subjectId: string): Promise<Row[]> {
  return bench.query<Row>(
    'SELECT * FROM consent_log WHERE subject_id = $1 ORDER BY recorded_at, id',
    [subjectId],
  );
}

async function started(body: object): Promise<string> {
  const { status, json } = await bench.demo.initiate(body);
  if (status !== 200) throw new Error(JSON.stringify(json));
  return json.data.journeyId;
}

const ago = (ms: number) => new Date(bench.service.now().getTime() - ms).toISOString();

/** A partner's consent that names the lenders in its text. */
function consent(more: object = {}) {
  return {
    textVersion: CONSENT_VERSION,
    language: 'hi',
    givenAt: ago(60_000),
    lenderCodes: LENDERS,
    ...more,
  };
}

/** The lenders that were asked for offers of a journey. */
function codesAsked(asked: readonly LenderQuestion[], id: string): string[] {
  const own = asked.filter(({ subjectId, kind }) => subjectId === id && kind === 'OFFERS');
  return [...new Set(own.map(({ lender }) => lender.code))].toSorted();
}

it('a partner’s word is recorded as such without a text of the service, with the request that it came by, once for all tries', async () => {
  const headers = { 'idempotency-key': 'consent-once' };
  const body = loanRequest();
  const { json } = await bench.demo.initiate(body, { headers });
  const id = json.data.journeyId;
  expect((await bench.demo.initiate(body, { headers })).json.data.journeyId).toBe(id);
  const [row, ...more] = await rowsOf(id);
  expect(more).toEqual([]);
  expect(row).toMatchObject({
    way: 'PARTNER',
    basis: 'AGREEMENT',
    text_version: null,
    language: null,
    shown_text: null,
    text_hash: null,
    came_by: expect.stringMatching(new RegExp(`^key_[^/]+/${UUID}$`)) as string,
  });
  expect(row.lender_codes.toSorted()).toEqual(LENDERS);
  expect(
    await bench.query(
      'SELECT 1 FROM request_nonces WHERE key_id = $1 AND nonce = $2',
      row.came_by.split('/'),
    ),
  ).toHaveLength(1);
  const [journey] = await bench.query('SELECT created_at FROM journeys WHERE id = $1', [id]);
  expect(journey).toEqual({ created_at: row.given_at });
});

describe('a consent to our text, taken by the partner', () => {
  it('is recorded with the text filled in, for the lenders that it named, in its order, and no others', async () => {
    const asked = bench.lendersAnswer();
    const given = consent({ lenderCodes: NAMED });
    const id = await started({ ...loanRequest(), consent: given });
    const [row] = await rowsOf(id);
    expect(row).toMatchObject({
      way: 'PARTNER',
      basis: 'TEXT',
      text_version: CONSENT_VERSION,
      language: 'hi',
      lender_codes: NAMED,
    });
    const names = 'Tarang Udyam Finance Limited\nKaverisetu Finserv Private Limited';
    expect(row.shown_text).toContain(`\n${names}\n`);
    expect(row.shown_text).not.toContain('Navdhara');
    expect(row.shown_text).toContain('मैंने यह पढ़ लिया है और मैं सहमत हूँ।');
    expect(row.text_hash).toBe(createHash('sha256').update(row.shown_text!).digest('hex'));
    expect(row.given_at.toISOString()).toBe(given.givenAt);
    await eventually(() => expect(codesAsked(asked, id)).toEqual(NAMED.toSorted()));
    const question = asked.find(({ subjectId }) => subjectId === id);
    expect(question?.payload.consent).toEqual({
      givenBy: 'PARTNER',
      basis: 'TEXT',
      givenAt: given.givenAt,
      textVersion: CONSENT_VERSION,
      language: 'hi',
    });
  });

  it('is no more than the partner’s word where it does not say whom the text named, and holds for later offer requests', async () => {
    const given = consent({ lenderCodes: undefined, givenAt: ago(20 * DAY) });
    const named = await started({ ...loanRequest(), consent: consent({ lenderCodes: NAMED }) });
    const unnamed = await started({ ...loanRequest(), consent: given });
    const [row] = await rowsOf(unnamed);
    expect(row).toMatchObject({
      basis: 'AGREEMENT',
      text_version: CONSENT_VERSION,
      language: 'hi',
      shown_text: null,
      text_hash: null,
    });
    expect(row.given_at.toISOString()).toBe(given.givenAt);
    await eventually(async () => {
      const offered = `SELECT 1 FROM journeys WHERE id = ANY ($1) AND state = 'OFFERS_RECEIVED'`;
      expect(await bench.query(offered, [[named, unnamed]])).toHaveLength(2);
    });
    const asked = bench.lendersAnswer();
    await bench.service.travel(30 * DAY);
    // Long, because work of earlier files also falls due.
    await eventually(
      () => {
        expect(codesAsked(asked, unnamed)).toEqual(LENDERS);
        expect(codesAsked(asked, named)).toEqual(NAMED.toSorted());
      },
      { withinMs: 45_000 },
    );
    const question = asked.find(({ subjectId }) => subjectId === unnamed);
    expect(question?.payload.consent).toEqual({
      givenBy: 'PARTNER',
      basis: 'AGREEMENT',
      givenAt: given.givenAt,
    });
  });

  it('is refused for a lender that there is not', async () => {
    for (const [path, body] of [
      ['/journey/initiate', loanRequest()],
      ['/instant-loans', instantLoanRequest()],
    ] as const) {
      const given = consent({ lenderCodes: ['navdhara', 'unknown'] });
      const { status, json } = await bench.demo.post(path, { ...body, consent: given });
      expect(status).toBe(400);
      expect(json.details.map(({ field }) => field)).toEqual(['consent.lenderCodes']);
    }
  });
});

it('an instant loan has the partner’s word, too, or a consent to our text for the lenders that it names', async () => {
  const rowOf = async (body: object) => {
    const { status, json } = await bench.demo.post<{ journeyId: string }>('/instant-loans', body);
    expect(status).toBe(200);
    const [row] = await rowsOf(json.data.journeyId);
    const asked = await bench.query<{ code: string }>(
      `SELECT lender_code AS code FROM lender_questions WHERE subject_id = $1 AND kind = 'OFFERS'`,
      [json.data.journeyId],
    );
    return { ...row, asked: asked.map(({ code }) => code) };
  };
  const accepted = await rowOf(instantLoanRequest({ customer: { termsAccepted: true } }));
  expect(accepted).toMatchObject({ way: 'PARTNER', basis: 'TERMS_ACCEPTED' });
  expect(accepted.lender_codes.length).toBeGreaterThan(0);
  const asked = ['tarangudyam'];
  const given = consent({ lenderCodes: asked });
  const named = await rowOf({ ...instantLoanRequest(), consent: given });
  expect(named).toMatchObject({ basis: 'TEXT', text_version: CONSENT_VERSION, asked });
});

it('a consent on our own pages joins the log with its text, its lenders and its session', async () => {
  const start = await startHosted(bench.service);
  const client = await signedIn(bench.service, start);
  await client.open('/hosted');
  await client.submit({ agree: '1' });
  const [word, row] = await rowsOf(start.id);
  // In a hosted journey the partner's consent names no lenders: the applicant consents.
  expect(word).toMatchObject({ basis: 'AGREEMENT', lender_codes: [] });
  const [kept] = await bench.query(
    `SELECT id, shown_text, text_hash, given_at, session_id AS came_by
     FROM consents WHERE journey_id = $1`,
    [start.id],
  );
  const text = { way: 'HOSTED', basis: 'TEXT', text_version: CONSENT_VERSION };
  expect(row).toMatchObject({ ...kept, ...text });
  expect(row.lender_codes.toSorted()).toEqual(LENDERS);
  const sessions = await bench.query('SELECT 1 FROM hosted_sessions WHERE id = $1', [row.came_by]);
  expect(sessions).toHaveLength(1);
});

it.each(['consent_log', 'offer_presentations'])(
  'what is recorded in %s is not changed by a statement',
  async (table) => {
    await (await bench.startWithOffers()).read();
    for (const statement of [
      `UPDATE ${table} SET recorded_at = recorded_at`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
    ]) {
      await expect(bench.query(statement)).rejects.toThrow(
        `rows of ${table} are never changed or deleted`,
      );
    }
  },
);
