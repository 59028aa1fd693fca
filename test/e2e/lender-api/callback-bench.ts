import { vi } from 'vitest';
import { dayInIndia } from '../../../src/loans/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { JourneyBench, type TestJourney } from '../journeys/journey-bench.js';
import { SigningLender } from './signing-lender.js';

export type { TestJourney } from '../journeys/journey-bench.js';

/** A service with two lenders that call it; only the first was asked questions. */
export class CallbackBench {
  readonly lender: SigningLender;
  readonly stranger: SigningLender;
  private messages = 0;

  private constructor(readonly journeys: JourneyBench) {
    this.lender = new SigningLender(journeys.service, 'navdhara');
    this.stranger = new SigningLender(journeys.service, 'kaverisetu');
  }

  static async open(): Promise<CallbackBench> {
    return CallbackBench.on(await JourneyBench.open());
  }

  static async on(journeys: JourneyBench): Promise<CallbackBench> {
    const bench = new CallbackBench(journeys);
    await bench.journeys.keepOneLender();
    for (const { code, remote } of [bench.lender, bench.stranger]) {
      await bench.journeys.configure('UPDATE lenders SET remote = $2 WHERE code = $1', [
        code,
        remote,
      ]);
    }
    return bench;
  }

  close(): Promise<void> {
    return this.journeys.close();
  }

  newId(): string {
    this.messages += 1;
    return `message-${this.journeys.service.partnerId}-${this.messages}`;
  }

  /** The lender answers this kind of question by callback only, until the mocks are restored. */
  keepSilentOn(kind: string): void {
    vi.restoreAllMocks();
    const connector = this.journeys.service.get<SandboxLender>(SandboxLender);
    const ask = connector.ask.bind(connector);
    vi.spyOn(connector, 'ask').mockImplementation((question) =>
      question.kind === kind ? Promise.resolve({ status: 'PENDING' }) : ask(question),
    );
  }

  /** A journey whose lender has not yet decided on KYC. */
  async atKyc(): Promise<TestJourney> {
    this.keepSilentOn('KYC');
    const journey = await this.journeys.startWithOffers();
    await journey.select();
    await journey.providerPage();
    return journey;
  }

  async kycAnswer(journey: TestJourney, verdict: object = {}, answerId = this.newId()) {
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

  async applicationOf(journey: Pick<TestJourney, 'id'>) {
    const [row] = await this.journeys.query<{
      applicationId: string;
      applicationReference: string;
    }>(
      `SELECT application_id AS "applicationId",
         selection ->> 'applicationReference' AS "applicationReference"
       FROM journeys WHERE id = $1`,
      [journey.id],
    );
    return row;
  }

  async loanEvent(journey: TestJourney, more: object = {}) {
    const { applicationId } = await this.applicationOf(journey);
    return {
      id: this.newId(),
      applicationId,
      loanReference: 'LOAN-1',
      event: 'MANDATE_REVOKED',
      happenedAt: '2026-11-25T09:00:00+05:30',
      detail: 'Something about a person',
      ...more,
    };
  }

  /** A statement of today with one page and one payout, of the journey's loan. */
  async statement(journey: TestJourney, payout: object = {}, more: object = {}) {
    const { applicationId } = await this.applicationOf(journey);
    const paidAt = this.journeys.service.now().toISOString();
    const one = {
      applicationId,
      loanReference: `LOAN-${journey.id}`,
      amount: 1_000,
      utr: 'UTR0001',
      paidAt,
      ...payout,
    };
    const totals = { payoutCount: 1, payoutTotal: one.amount };
    const page = { id: this.newId(), day: dayInIndia(new Date(one.paidAt)), page: 1, pages: 1 };
    return { ...page, ...totals, payouts: [one], ...more };
  }

  kept(kind: string) {
    return this.journeys.query<{ messageId: string; sealed: string | null }>(
      `SELECT message_id AS "messageId", body_sealed AS sealed FROM lender_messages
       WHERE kind = $1 ORDER BY id`,
      [kind],
    );
  }
}
