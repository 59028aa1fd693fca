import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { RequestIdUpkeepTasks } from '../../../src/lender-api/callbacks/request-id-upkeep.tasks.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { JourneyBench, type TestJourney } from '../journeys/journey-bench.js';
import { newKey, SigningLender, type Wrong } from './signing-lender.js';

let bench: JourneyBench;
let lender: SigningLender;
/** Another one, which was asked nothing. */
let stranger: SigningLender;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
  lender = new SigningLender(bench.service, 'navdhara');
  stranger = new SigningLender(bench.service, 'kaverisetu');
  for (const { code, remote } of [lender, stranger]) {
    await bench.configure('UPDATE lenders SET remote = $2 WHERE code = $1', [code, remote]);
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bench.close());

let messages = 0;

function newId(): string {
  messages += 1;
  return `message-${messages}`;
}

/** The lender answers this kind of question by callback alone. */
function keepSilentOn(kind: string): void {
  const connector = bench.service.get(SandboxLender);
  const ask = connector.ask.bind(connector);
  vi.spyOn(connector, 'ask').mockImplementation((question) =>
    question.kind === kind ? Promise.resolve({ status: 'PENDING' }) : ask(question),
  );
}

async function atKyc(): Promise<TestJourney> {
  keepSilentOn('KYC');
  const journey = await bench.startWithOffers();
  await journey.select();
  await journey.providerPage();
  return journey;
}

async function kycAnswer(journey: TestJourney, verdict: object = {}, answerId = newId()) {
  const reference = await journey.redirectId('KYC');
  return {
    question: 'STEPS',
    questionId: `${journey.id}:KYC:${reference}`,
    answer: {
      answerId,
      verdict: 'PASSED',
      passedAt: '2026-11-22T10:00:00+05:30',
      evidence: { step: 'KYC', kycReference: 'CKYC-1' },
      ...verdict,
    },
  };
}

async function applicationOf(journey: TestJourney) {
  const [row] = await bench.query<{ applicationId: string; applicationReference: string }>(
    `SELECT application_id AS "applicationId", selection ->> 'applicationReference' AS "applicationReference"
     FROM journeys WHERE id = $1`,
    [journey.id],
  );
  return row;
}

async function loanEvent(journey: TestJourney, more: object = {}) {
  const { applicationId } = await applicationOf(journey);
  return {
    id: newId(),
    applicationId,
    loanReference: 'LOAN-1',
    event: 'MANDATE_REVOKED',
    happenedAt: '2026-11-25T09:00:00+05:30',
    detail: 'Something about a person',
    ...more,
  };
}

async function statement(journey: TestJourney, payout: object = {}, more: object = {}) {
  const { applicationId } = await applicationOf(journey);
  const one = {
    applicationId,
    loanReference: 'LOAN-1',
    amount: 1_000,
    utr: 'UTR0001',
    paidAt: '2026-11-25T09:00:00+05:30',
    ...payout,
  };
  const totals = { payoutCount: 1, payoutTotal: one.amount };
  return { id: newId(), day: '2026-11-25', page: 1, pages: 1, ...totals, payouts: [one], ...more };
}

const kept = (kind: string) =>
  bench.query<{ messageId: string; sealed: string | null }>(
    `SELECT message_id AS "messageId", body_sealed AS sealed FROM lender_messages
     WHERE kind = $1 ORDER BY id`,
    [kind],
  );

describe('a verdict that is told', () => {
  it('moves the journey as one that was asked for does, once, and is answered signed', async () => {
    const journey = await atKyc();
    const body = await kycAnswer(journey);
    const told = await lender.tell('answers', body);
    expect(told).toEqual({
      status: 202,
      json: { id: body.answer.answerId, status: 'RECEIVED' },
      isSigned: true,
    });
    await journey.reaches('BANK_ACCOUNT_PENDING');
    expect(await lender.tell('answers', body)).toMatchObject({ status: 202 });
    await bench.settled();
    const rows = await bench.query('SELECT 1 FROM lender_inbox WHERE answer_id = $1', [
      body.answer.answerId,
    ]);
    expect(rows).toHaveLength(1);
    expect(await journey.flags()).toEqual([]);
  });

  it.each<[string, (journey: TestJourney) => Promise<object>, () => SigningLender]>([
    ['of another lender', (journey) => kycAnswer(journey), () => stranger],
    [
      'of a question that was never put',
      async (journey) => ({ ...(await kycAnswer(journey)), questionId: `${journey.id}:KYC:rdr_1` }),
      () => lender,
    ],
    [
      'of a question of another kind',
      async (journey) => ({ ...(await kycAnswer(journey)), questionId: `${journey.id}:OFFERS:1` }),
      () => lender,
    ],
    [
      'of nothing at all',
      async (journey) => ({ ...(await kycAnswer(journey)), questionId: 'qst_1' }),
      () => lender,
    ],
  ])('is refused %s, and tells nothing', async (_, bodyOf, who) => {
    const journey = await atKyc();
    const told = await who().tell('answers', await bodyOf(journey));
    expect(told).toEqual({
      status: 404,
      json: {
        error: { code: 'not_found', message: 'This lender was not asked about this question' },
      },
      isSigned: true,
    });
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });

  it('is refused with the evidence of another step', async () => {
    const journey = await atKyc();
    const evidence = { step: 'ESIGN', documentHash: 'a'.repeat(64) };
    const told = await lender.tell('answers', await kycAnswer(journey, { evidence }));
    expect([told.status, told.json.error!.code]).toEqual([400, 'invalid_request']);
  });

  it('on a question that somebody waits for is kept, and moves nothing', async () => {
    const journey = await bench.startWithOffers();
    const told = await lender.tell('answers', {
      question: 'SELECTIONS',
      questionId: `${journey.id}:SELECTION:int_1`,
      answer: { answerId: newId(), verdict: 'ACCEPTED', applicationReference: 'A-1' },
    });
    expect(told.status).toBe(202);
    expect(await kept('ANSWER')).toHaveLength(1);
    expect((await journey.read()).state).toBe('OFFERS_RECEIVED');
  });
});

describe('what is not rightly signed', () => {
  const other = newKey('navdhara-1');
  it.each<[string, Wrong]>([
    ['with another key of the same name', { key: other }],
    ['with a key that is not known', { key: newKey('nobody') }],
    ['over another body', { signedBody: '{}' }],
    ['for another address', { signedAddress: 'https://rinpath.example/lender-api/v1/x/answers' }],
    ['too long ago', { now: Math.floor(Date.now() / 1_000) - 400 }],
    ['not at all', { headers: { 'x-jws-signature': undefined } }],
  ])('is 401: %s', async (_, wrong) => {
    const journey = await atKyc();
    const told = await lender.tell('answers', await kycAnswer(journey), wrong);
    expect([told.status, told.json.error!.code, told.isSigned]).toEqual([
      401,
      'signature_refused',
      false,
    ]);
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });

  it('is 401 in another lender’s name, and of one that there is not', async () => {
    const journey = await atKyc();
    const body = await kycAnswer(journey);
    expect((await lender.tell('answers', body, { key: stranger.key })).status).toBe(401);
    const nobody = new SigningLender(bench.service, 'nobody');
    expect((await nobody.tell('answers', body)).json.error!.code).toBe('signature_refused');
  });

  it('is 401 the second time, also for another body, and the id is kept for as long as it must', async () => {
    const journey = await bench.startWithOffers();
    await journey.select();
    const id = 'jti-of-one-request';
    const event = await loanEvent(journey);
    expect((await lender.tell('loan-events', event, { id })).status).toBe(202);
    for (const body of [event, await loanEvent(journey)]) {
      const again = await lender.tell('loan-events', body, { id });
      expect([again.status, again.json.error!.code]).toEqual([401, 'request_replayed']);
    }
    await bench.service.get(RequestIdUpkeepTasks).run();
    const count = () => bench.query('SELECT 1 FROM lender_request_ids WHERE jti = $1', [id]);
    expect(await count()).toHaveLength(1);
    await bench.query(
      `UPDATE lender_request_ids SET used_at = now() - interval '16 minutes' WHERE jti = $1`,
      [id],
    );
    await bench.service.get(RequestIdUpkeepTasks).run();
    expect(await count()).toEqual([]);
  });
});

describe('a message that is not as the protocol says', () => {
  it.each<[string, number, string, object | string, Wrong]>([
    ['no JSON', 400, 'invalid_request', '{', {}],
    ['no UTF-8 JSON object', 400, 'invalid_request', '[]', {}],
    ['a field that is missing', 400, 'invalid_request', { id: 'x' }, {}],
    ['another version', 400, 'version_not_supported', '{}', { headers: { 'rlp-version': '2' } }],
    [
      'another media type',
      415,
      'unsupported_media_type',
      '{}',
      { headers: { 'content-type': 'text/plain' } },
    ],
  ])('is refused: %s', async (_, status, code, body, wrong) => {
    const told = await lender.tell('loan-events', body, wrong);
    expect([told.status, told.json.error!.code, told.isSigned]).toEqual([status, code, true]);
  });

  it('is refused when Idempotency-Key is not its id', async () => {
    const journey = await bench.startWithOffers();
    await journey.select();
    const wrong = { headers: { 'idempotency-key': 'another' } };
    const told = await lender.tell('loan-events', await loanEvent(journey), wrong);
    expect([told.status, told.json.error!.code]).toEqual([400, 'invalid_request']);
  });

  it('is 413 above 256 KB, and taken below', async () => {
    const long = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes) });
    const tooLong = await lender.tell('loan-events', long(256 * 1024));
    expect([tooLong.status, tooLong.json.error!.code]).toEqual([413, 'body_too_large']);
    expect((await lender.tell('loan-events', long(200 * 1024))).status).toBe(400);
  });

  it('is 404 at an address that there is not', async () => {
    const told = await lender.tell('nothing', {});
    expect([told.status, told.json.error!.code]).toEqual([404, 'not_found']);
  });
});

describe('a loan event, a revision, a statement', () => {
  it('is kept sealed, once, and put before the operator', async () => {
    const journey = await bench.startWithOffers();
    await journey.select();
    const event = await loanEvent(journey);
    for (const _ of [1, 2]) expect((await lender.tell('loan-events', event)).status).toBe(202);
    const flags = await journey.flags();
    expect(flags).toMatchObject([
      { kind: 'LOAN_EVENT', detail: { lenderCode: 'navdhara', event: 'MANDATE_REVOKED' } },
    ]);
    expect(JSON.stringify(flags)).not.toContain('Something about a person');
    const rows = (await kept('LOAN_EVENT')).filter(({ messageId }) => messageId === event.id);
    expect(rows).toEqual([{ messageId: event.id, sealed: expect.stringMatching(/^v1:/) }]);
    const other = await lender.tell('loan-events', { ...event, event: 'CLOSED' });
    expect([other.status, other.json.error!.code]).toEqual([409, 'key_reused']);
  });

  it('is refused of another lender’s application or loan', async () => {
    const journey = await bench.startWithOffers();
    await journey.select();
    const event = await loanEvent(journey);
    expect((await stranger.tell('loan-events', event)).status).toBe(404);
    expect((await stranger.tell('statements', await statement(journey))).status).toBe(404);
    const nothing = { ...event, applicationId: 'app_1' };
    const [theirs, none] = [
      await stranger.tell('loan-events', { ...event, id: newId() }),
      await stranger.tell('loan-events', { ...nothing, id: newId() }),
    ];
    // What is another's looks like what does not exist.
    expect(theirs).toEqual(none);
  });

  it('is refused of another loan than the one that was paid out', async () => {
    const [journey, paidOut] = [await bench.startWithOffers(), await bench.startWithOffers()];
    await journey.select();
    await paidOut.complete();
    await bench.query(
      `INSERT INTO lender_references (lender_code, kind, reference, subject_id, application_id, partner_id)
       SELECT 'navdhara', 'LOAN', 'LOAN-OF-IT', id, application_id, partner_id FROM journeys WHERE id = $1`,
      [paidOut.id],
    );
    const tell = async (about: TestJourney, loanReference: string) =>
      (await lender.tell('loan-events', await loanEvent(about, { loanReference }))).status;
    expect(await tell(paidOut, 'LOAN-OF-IT')).toBe(202);
    expect(await tell(paidOut, 'ANOTHER')).toBe(404);
    expect(await tell(journey, 'LOAN-OF-IT')).toBe(404);
    const page = await statement(journey, { loanReference: 'LOAN-OF-IT' });
    expect((await lender.tell('statements', page)).json.error).toEqual({
      code: 'not_found',
      message: 'payouts.0: this lender was not asked about this loan',
    });
  });

  it('of a day is kept when its figures agree', async () => {
    const journey = await bench.startWithOffers();
    await journey.select();
    const page = await statement(journey);
    expect((await lender.tell('statements', page)).status).toBe(202);
    const flags = await bench.query(
      `SELECT kind, detail FROM operator_flags WHERE subject_id = 'navdhara' AND kind = 'LENDER_STATEMENT'`,
    );
    expect(flags).toMatchObject([
      { detail: { day: '2026-11-25', page: 1, pages: 1, payoutCount: 1, payoutTotal: 1_000 } },
    ]);
    const wrong = await statement(journey, {}, { payoutTotal: 999 });
    expect((await lender.tell('statements', wrong)).status).toBe(400);
  });

  it('that revises an offer names the application as the lender does', async () => {
    const journey = await bench.startWithOffers();
    await journey.select();
    const { applicationId, applicationReference } = await applicationOf(journey);
    const revision = {
      id: newId(),
      applicationId,
      applicationReference,
      reason: 'GOLD_APPRAISED',
      revisedAt: '2026-11-25T09:00:00+05:30',
      offer: {
        reference: 'R-2',
        principal: 1_000_000,
        minimumAmount: 1_000_000,
        tenureMonths: 12,
        rate: { kind: 'FIXED', annualPercent: '12' },
        repayment: { kind: 'EMI', instalment: 88_800 },
        apr: '12.00',
        netPayout: 1_000_000,
        fees: [],
        validUntil: '2026-12-25T09:00:00+05:30',
      },
    };
    expect((await lender.tell('offer-revisions', revision)).status).toBe(202);
    expect(await journey.flags()).toMatchObject([
      { kind: 'OFFER_REVISED', detail: { reason: 'GOLD_APPRAISED', apr: '12.00' } },
    ]);
    const other = { ...revision, id: newId(), applicationReference: 'ANOTHER' };
    expect((await lender.tell('offer-revisions', other)).status).toBe(404);
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });

  it('is erased with its applicant, and stays known', async () => {
    const journey = await bench.startWithOffers();
    await journey.select();
    const event = await loanEvent(journey);
    await lender.tell('loan-events', event);
    const { databaseUrl } = bench.service;
    const erase = ['applicants', 'erase', '--journey', journey.id, '--force'] as const;
    expect((await runAdmin(databaseUrl, ...erase)).code).toBe(0);
    const rows = (await kept('LOAN_EVENT')).filter(({ messageId }) => messageId === event.id);
    expect(rows).toEqual([{ messageId: event.id, sealed: null }]);
    expect((await lender.tell('loan-events', event)).status).toBe(202);
  });
});

describe('too much at once', () => {
  it('is 429 for the lender that tells it, and for no other', async () => {
    const journey = await bench.startWithOffers();
    await journey.select();
    const body = await loanEvent(journey);
    const many = await Promise.all(
      Array.from({ length: 150 }, () => lender.tell('loan-events', body)),
    );
    const refused = many.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0].json.error!.code).toBe('too_many_requests');
    expect((await stranger.tell('loan-events', body)).status).toBe(404);
  });
});
