import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, APPLICANT, CONSENT, HASH, LenderBench, sessionFields } from './lender-bench.js';
import type { Json } from './rinpath-stand-in.js';

function applicant(pan: string): Json {
  return { applicant: { ...APPLICANT, pan } };
}

describe('what the reference lender answers after the choice', () => {
  const bench = new LenderBench();

  beforeAll(() => bench.start());
  afterAll(() => bench.stop());

  describe('a choice', () => {
    it('is quoted for another amount, without an effect', async () => {
      const chosen = await bench.choose();
      const quote = (loanAmount: number) => bench.ask('quotes', { ...chosen.about, loanAmount });
      const { body } = await quote(10_000_000);
      expect(body).toMatchObject({
        verdict: 'QUOTED',
        offer: { reference: chosen.about.offerReference, principal: 10_000_000 },
      });
      const gone = { verdict: 'GONE', reason: 'AMOUNT_OUT_OF_RANGE' };
      expect((await quote(20_000_001)).body).toMatchObject(gone);
      const books = await bench.books();
      const { applicationId } = chosen.about;
      const made = books.selections.filter((row) => row.applicationId === applicationId);
      expect(made).toMatchObject([{ timesMade: 1, timesAsked: 1, amount: 20_000_000 }]);
    });

    it('is taken once, however often it is asked about', async () => {
      const applicationId = bench.newApplication();
      const { body } = await bench.askOffers({ applicationId });
      const { reference } = (body.offers as Json[])[0];
      const choice = { applicationId, offerReference: reference, loanAmount: 10_000_000 };
      const ask = () =>
        bench.ask('selections', { ...choice, keyFactsHash: HASH }, { key: 'qst_choice' });
      const [first, second] = await Promise.all([ask(), ask()]);
      expect(first.text).toBe(second.text);
      const { selections } = await bench.books();
      const made = selections.filter((row) => row.applicationId === applicationId);
      expect(made).toMatchObject([{ timesMade: 1, timesAsked: 2 }]);
    });

    it('is gone for an offer of somebody else, an old one, and a withdrawn one', async () => {
      const { about } = await bench.choose();
      const choice = { ...about, loanAmount: 10_000_000, keyFactsHash: HASH };
      const theirs = await bench.ask('selections', { ...choice, applicationId: 'app_other' });
      expect(theirs.body).toMatchObject({ verdict: 'GONE', reason: 'OTHER' });
      await bench.ask('withdrawals', { ...about, reason: 'NOT_CHOSEN' });
      const late = await bench.ask('selections', choice);
      expect(late.body).toMatchObject({ verdict: 'GONE', reason: 'WITHDRAWN' });
    });
  });

  describe('steps without a visit', () => {
    it.each([
      ['KYC', 'ABCDE1234F', 1, 'PASSED'],
      ['KYC', 'SANDX0004A', 1, 'FAILED'],
      ['KYC', 'SANDX0004A', 2, 'PASSED'],
      ['KYC', 'SANDX0005A', 2, 'REFUSED'],
      ['MANDATE', 'SANDX0006A', 1, 'FAILED'],
      ['MANDATE', 'SANDX0006A', 2, 'PASSED'],
      ['ESIGN', 'SANDX0007A', 1, 'REFUSED'],
    ])('%s of %s, attempt %d: %s', async (step, pan, attempt, word) => {
      const { about } = await bench.choose(applicant(pan));
      const stepReference = `${about.applicationId}-${step}-${attempt}`;
      const { body } = await bench.ask('steps', { ...about, step, stepReference, attempt });
      expect(body.verdict).toBe(word);
      expect(body).toHaveProperty(word === 'PASSED' ? 'evidence.step' : 'reason');
    });

    it('take ten seconds for SANDX0012A', async () => {
      const { about } = await bench.choose(applicant('SANDX0012A'));
      const fields = { ...about, step: 'KYC', stepReference: 'slow-kyc', attempt: 1 };
      const ask = () => bench.ask('steps', fields, { key: 'qst_slow_kyc' });
      expect(await ask()).toMatchObject({ status: 202, body: { waitingFor: 'LENDER' } });
      bench.passTime(11);
      expect((await ask()).body.verdict).toBe('PASSED');
    });
  });

  it.each([
    ['12345678901', 'ACCEPTED'],
    ['12345670000', 'REFUSED'],
    ['12345679999', 'REFUSED_FOR_GOOD'],
  ])('the account %s: %s', async (number, word) => {
    const { about } = await bench.choose();
    const { body } = await bench.ask('accounts', { ...about, account: account(number) });
    expect(body.verdict).toBe(word);
  });

  describe('a payout', () => {
    it('happens once, whoever asks under whichever key', async () => {
      const chosen = await bench.choose();
      await bench.sign(chosen);
      const first = await bench.payOut(chosen);
      expect(first.body).toMatchObject({
        verdict: 'PAID',
        amount: chosen.offer.netPayout,
        accountLastFour: '8901',
      });
      expect(first.body.utr).toMatch(/^[A-Z0-9]{6,35}$/);
      const second = await bench.ask('disbursements', bench.payoutFields(chosen));
      expect(second.body.utr).toBe(first.body.utr);
      const { payouts } = await bench.books();
      const { applicationId } = chosen.about;
      expect(payouts.filter((row) => row.applicationId === applicationId)).toHaveLength(1);
      const loan = await bench.rinpath.loan('navdhara', first.body.loanReference as string);
      expect(loan.body).toMatchObject({
        verdict: 'FOUND',
        status: 'ACTIVE',
        outstandingPrincipal: 20_000_000,
        nextDue: { amount: 659_400 },
      });
    });

    it('takes thirty seconds for SANDX0008A', async () => {
      const chosen = await bench.choose(applicant('SANDX0008A'));
      await bench.sign(chosen);
      expect((await bench.payOut(chosen)).status).toBe(202);
      bench.passTime(30);
      expect((await bench.payOut(chosen)).body.verdict).toBe('PAID');
    });

    it.each([
      ['another amount', { netPayout: 19_508_200 }, 'OTHER'],
      ['another principal', { loanAmount: 19_000_000 }, 'OTHER'],
      ['another statement', { keyFactsHash: 'b'.repeat(64) }, 'OTHER'],
    ])('is refused for %s than was chosen', async (_, more, reason) => {
      const chosen = await bench.choose();
      await bench.sign(chosen);
      const { body } = await bench.ask('disbursements', { ...bench.payoutFields(chosen), ...more });
      expect(body).toMatchObject({ verdict: 'REFUSED', reason });
    });

    it('is refused before the signature, and after a withdrawal', async () => {
      const unsigned = await bench.choose();
      expect((await bench.payOut(unsigned)).body.reason).toBe('DOCUMENTS_INCOMPLETE');
      const withdrawn = await bench.choose();
      await bench.sign(withdrawn);
      await bench.ask('withdrawals', { ...withdrawn.about, reason: 'ABANDONED' });
      expect((await bench.payOut(withdrawn)).body.reason).toBe('CANCELLED_BY_BORROWER');
    });
  });

  describe('an instant loan', () => {
    const facts = { loanAmount: 2_500_000, consent: CONSENT, productCode: 'ONLINE_INSTANT' };
    const FEE = 23_500;

    /** An offer of it, and the question that decides on it. */
    async function offered(pan = 'ABCDE1234F') {
      const applicationId = bench.newApplication();
      const subject = { kind: 'INSTANT_LOAN', id: applicationId };
      const about = { ...facts, ...applicant(pan), applicationId, subject };
      const { body } = await bench.askOffers(about);
      const [offer] = (body.offers ?? []) as Json[];
      const feePaid = { amount: FEE, paidAt: new Date().toISOString() };
      const decision = { ...about, feePaid, offerReference: offer?.reference };
      const decide = (more: Json = {}) => bench.ask('decisions', { ...decision, ...more });
      return { verdict: body.verdict, offer, about, decide };
    }

    it('is offered whole, its fee to be paid first, and sanctioned once', async () => {
      const { offer, decide } = await offered();
      expect(offer).toMatchObject({
        principal: 2_500_000,
        netPayout: 2_500_000,
        fees: [{ amount: FEE, due: 'BEFORE_PAYOUT' }],
      });
      const { body } = await decide();
      expect(body.verdict).toBe('SANCTIONED');
      expect((await decide()).body.loanReference).toBe(body.loanReference);
    });

    it.each<[string, Json]>([
      ['an offer of somebody else', { offerReference: 'offer-1' }],
      ['another amount', { loanAmount: 2_400_000 }],
      ['another fee', { feePaid: { amount: FEE - 1, paidAt: new Date().toISOString() } }],
      ['no fee', { feePaid: undefined }],
      ['a fee paid too late', { feePaid: { amount: FEE, paidAt: '2090-01-01T00:00:00Z' } }],
    ])('is declined for %s', async (_, more) => {
      const { decide } = await offered();
      expect((await decide(more)).body).toMatchObject({ verdict: 'DECLINED', reason: 'OTHER' });
      expect((await decide()).body.verdict).toBe('SANCTIONED');
    });

    it('is declined once its offer was withdrawn', async () => {
      const { about, decide } = await offered();
      const { applicationId, subject } = about;
      await bench.ask('withdrawals', { applicationId, subject, reason: 'NOT_CHOSEN' });
      expect((await decide()).body).toMatchObject({ verdict: 'DECLINED', reason: 'OTHER' });
    });

    it('is declined before its payment for SANDX0001A, after it for SANDX0013A', async () => {
      expect((await offered('SANDX0001A')).verdict).toBe('DECLINED');
      const { verdict, decide } = await offered('SANDX0013A');
      expect(verdict).toBe('OFFERED');
      expect((await decide()).body).toMatchObject({ verdict: 'DECLINED', reason: 'POLICY' });
    });

    it('is decided on without an offer where none was asked for before the payment', async () => {
      const { decide } = await offered();
      const { body } = await decide({ offerReference: undefined, feePaid: undefined });
      expect(body.verdict).toBe('SANCTIONED');
    });
  });

  it('keeps no applicant after an erasure, and knows what it decided', async () => {
    const key = 'qst_erased';
    const applicationId = bench.newApplication();
    const first = await bench.askOffers({ applicationId }, { key });
    const answer = await bench.ask('withdrawals', { applicationId, reason: 'ERASURE' });
    expect(answer.body.verdict).toBe('NOTED');
    const { applications } = await bench.books();
    expect(applications).toContainEqual(expect.objectContaining({ applicationId, isErased: 1 }));
    expect((await bench.askOffers({ applicationId }, { key })).text).toBe(first.text);
  });

  it('notes a withdrawal of what it never heard of, and why an offer was refused', async () => {
    const refusedOffers = [
      { offerReference: 'offer-1', problem: 'APR', stated: '10', computed: '11' },
    ];
    const fields = { applicationId: 'app_unknown', reason: 'OFFER_REFUSED', refusedOffers };
    expect((await bench.ask('withdrawals', fields)).body.verdict).toBe('NOTED');
    const { withdrawals } = await bench.books();
    const row = withdrawals.find(({ applicationId }) => applicationId === 'app_unknown');
    expect(JSON.parse(row!.refusedOffers as string)).toEqual(refusedOffers);
  });

  describe('leaving a loan', () => {
    it('costs what was paid out on the first day, and the APR of the days after that', async () => {
      const chosen = await bench.choose();
      await bench.sign(chosen);
      const { loanReference, paidAt } = (await bench.payOut(chosen)).body;
      const exit = async (days: number) => {
        const requestedAt = new Date(
          Date.parse(paidAt as string) + days * 86_400_000,
        ).toISOString();
        return (await bench.ask('cooling-off-exits', { loanReference, requestedAt })).body;
      };
      expect(await exit(0)).toMatchObject({ verdict: 'OPENED', amount: 19_508_000 });
      // 13.23 percent of ₹1,95,080 for three days of 365: ₹212.13.
      expect(await exit(3)).toMatchObject({ verdict: 'OPENED', amount: 19_529_200 });
      expect(await exit(4)).toMatchObject({ verdict: 'REFUSED', reason: 'PERIOD_OVER' });
      await bench.admin('POST', '/loan-events', {
        lender: 'navdhara',
        loanReference,
        event: 'EXITED',
      });
      expect(await exit(1)).toMatchObject({ verdict: 'EXITED' });
    });
  });

  it('opens no session and passes no step once the application was withdrawn', async () => {
    const chosen = await bench.choose();
    await bench.ask('withdrawals', { ...chosen.about, reason: 'CONSENT_WITHDRAWN' });
    const session = await bench.ask('sessions', sessionFields(chosen, 'KYC'));
    expect(session.body).toMatchObject({ verdict: 'REFUSED', reason: 'OTHER' });
    const step = { ...chosen.about, step: 'KYC', stepReference: 'withdrawn', attempt: 1 };
    expect((await bench.ask('steps', step)).body.verdict).toBe('REFUSED');
  });

  it('opens no session without the statement that was chosen', async () => {
    const chosen = await bench.choose();
    const acknowledgement = {
      keyFactsHash: 'b'.repeat(64),
      acknowledgedAt: '2026-11-22T10:05:00+05:30',
      language: 'en',
    };
    const other = await bench.ask('sessions', sessionFields(chosen, 'KYC', { acknowledgement }));
    expect(other).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    const none = await bench.ask(
      'sessions',
      sessionFields(chosen, 'KYC', { acknowledgement: undefined }),
    );
    expect(none).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^acknowledgement/) } },
    });
  });
});
