import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import type {
  ArrivedAnswer,
  LenderAnswer,
  LenderOffer,
  LenderQuestion,
  LenderReply,
  RefusedOffer,
} from '../../../src/lenders/index.js';
import { LenderInbox } from '../../../src/lenders/index.js';
import { Database, DuePoller } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { loanRequest, type LoanRequestOptions } from '../../support/loan-requests.js';
import { type Answer, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { openRedirect } from '../../support/redirect-visit.js';
import { configure } from '../../support/kept-configuration.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { type Page, TestJourney, WAIT_MS } from './test-journey.js';

export type { Page, TestJourney } from './test-journey.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The status and code of a rejected call. */
export function refusal({ status, json }: Answer<unknown>): [status: number, code: string] {
  return [status, json.code];
}

/** The shared service for one test file with its own partner, and access to the database. */
export class JourneyBench {
  readonly demo: PartnerClient;
  private readonly pool: Pool;
  private answers = 0;

  constructor(readonly service: TestService) {
    this.demo = partnerClient(service);
    this.pool = new Pool({ connectionString: service.databaseUrl, max: 2 });
    // When a worker ends, the database may be dropped before its connections.
    this.pool.on('error', () => undefined);
  }

  static async open(): Promise<JourneyBench> {
    return new JourneyBench(await sharedService());
  }

  get lender(): SandboxLender {
    return this.service.get<SandboxLender>(SandboxLender);
  }

  /**
   * Replaces the lenders' answers by `reply`, except where it returns null.
   * @returns the questions from now on
   */
  lendersAnswer(
    reply: (question: LenderQuestion) => Promise<LenderReply> | null = () => null,
  ): LenderQuestion[] {
    const asked: LenderQuestion[] = [];
    const ask = this.lender.ask.bind(this.lender);
    vi.spyOn(this.lender, 'ask').mockImplementation((question) => {
      asked.push(question);
      return reply(question) ?? ask(question);
    });
    return asked;
  }

  /** Applies `change` to every offer of the lenders. */
  lendersOffer(change: (offer: LenderOffer) => LenderOffer[], refused?: RefusedOffer[]): void {
    const ask = this.lender.ask.bind(this.lender);
    vi.spyOn(this.lender, 'ask').mockImplementation(async (question) => {
      const reply = await ask(question);
      if (reply.status !== 'ANSWERED' || reply.answer.kind !== 'OFFERED') return reply;
      const offers = reply.answer.offers.flatMap(change);
      return { ...reply, answer: { kind: 'OFFERED', offers, refused } };
    });
  }

  /** A valid offer. */
  soundOffer(reference = 'ref-1'): LenderOffer {
    return {
      reference,
      principal: 120_000_00,
      minimumAmount: 1_000_00,
      annualRatePercent: 0,
      tenureMonths: 12,
      instalment: 10_000_00,
      apr: 0,
      netDisbursed: 120_000_00,
      fees: [],
      validUntil: new Date(this.service.now().getTime() + 9 * DAY).toISOString(),
      collateralExplanation: null,
    };
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  async query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, values)).rows;
  }

  /** Starts a headless journey. */
  async start(options: LoanRequestOptions = {}): Promise<TestJourney> {
    const { status, json } = await this.demo.initiate(loanRequest(options));
    if (status !== 200) throw new Error(`initiate answered ${status}: ${JSON.stringify(json)}`);
    return new TestJourney(this, json.data.journeyId, json.data.journeySession);
  }

  /** Starts a headless journey, and waits for its offers. */
  async startWithOffers(options: LoanRequestOptions = {}): Promise<TestJourney> {
    const journey = await this.start(options);
    await journey.reaches('OFFERS_RECEIVED');
    return journey;
  }

  /** Changes configuration tables until the end of the file; the service reads them again. */
  configure(sql: string, values: unknown[] = []): Promise<void> {
    return configure(this.service, sql, values);
  }

  /** Leaves one lender, which makes offers at once, for tests of later steps. */
  async keepOneLender(): Promise<void> {
    await this.configure(`UPDATE lenders SET is_enabled = code = 'navdhara'`);
  }

  /** Delivers an answer as a lender's adapter does. @returns false for a repeat */
  async deliverTo(
    subjectId: string,
    answer: LenderAnswer,
    about: Pick<ArrivedAnswer, 'kind' | 'reference'> & Partial<ArrivedAnswer>,
  ): Promise<boolean> {
    this.answers += 1;
    const arrived: ArrivedAnswer = {
      lenderCode: 'navdhara',
      answerId: `answer-${this.service.partnerId}-${this.answers}`,
      partnerId: this.service.partnerId,
      subjectId,
      answer,
      ...about,
    };
    const inbox = this.service.get(LenderInbox);
    const isNew = await this.service.get(Database).transaction((tx) => inbox.receive(tx, arrived));
    await this.settled();
    return isNew;
  }

  lookForWork(): void {
    this.service.get<DuePoller>(DuePoller).lookNow();
  }

  /** Waits until everything in the partner's inbox is processed. */
  async settled(): Promise<void> {
    await eventually(
      async () => {
        const waiting = await this.query(
          'SELECT 1 FROM lender_inbox WHERE partner_id = $1 AND consumed_at IS NULL',
          [this.service.partnerId],
        );
        return waiting.length === 0;
      },
      { withinMs: WAIT_MS },
    );
  }

  /** Opens an address as a browser does: returns the page, or the redirect's target. */
  async browse(url: string, form?: Record<string, string>): Promise<Page> {
    const response = await fetch(url, {
      redirect: 'manual',
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    return pageOf(response);
  }

  /** Opens a redirect link; acknowledges the statement if it is shown first. */
  async visit(link: string): Promise<Page> {
    return pageOf(await openRedirect(link));
  }
}

async function pageOf(response: Response): Promise<Page> {
  const text = await response.text();
  return { status: response.status, location: response.headers.get('location') ?? '', text };
}

/** The bench of a spec file; mocks are restored after each test. */
export function journeyBench({ isOneLender = false } = {}): JourneyBench {
  const bench = Object.create(JourneyBench.prototype) as JourneyBench;
  beforeAll(async () => {
    Object.assign(bench, await JourneyBench.open());
    if (isOneLender) await bench.keepOneLender();
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => bench.close());
  return bench;
}
