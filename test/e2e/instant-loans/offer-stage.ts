import { type MockInstance, vi } from 'vitest';
import {
  type LenderAnswer,
  LenderGateway,
  LenderInbox,
  type LenderOffer,
} from '../../../src/lenders/index.js';
import { quoteLoan } from '../../../src/loans/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { eventually } from '../../support/eventually.js';
import { ApplicantBrowser, type CreatedInstantLoan } from '../../support/instant-loans.js';
import { HOUR, InstantLoanBench, JOURNEY, PATIENT } from './instant-loan-bench.js';

const LENDERS = ['navdhara', 'kaverisetu', 'tarangudyam'] as const;
export type LenderCode = (typeof LENDERS)[number];

export const DAY = 24 * HOUR;
export const PRINCIPAL = 2_500_000;
export const DECLINED: LenderAnswer = { kind: 'DECLINED', reason: 'POLICY' };

type Question = Parameters<LenderGateway['ask']>[0];

/** An offer in the matching log: paise, percent, months. */
export interface LoggedOffer {
  readonly offerId: string;
  readonly lenderCode: string;
  readonly lenderName: string;
  readonly principal: number;
  readonly figures: {
    readonly apr: number;
    readonly tenureMonths: number;
    readonly instalment: number;
    readonly processingFees: number;
    /** Fee included. */
    readonly totalPayable: number;
    readonly cost: number;
  };
  readonly coLender?: { readonly name: string; readonly sharePercent: number };
  readonly feeOnDecline: 'KEPT' | 'REFUND';
  readonly isValid: boolean;
  readonly isChosen?: true;
}

interface LoggedComparison {
  readonly lendersNotAsked: readonly { readonly code: string; readonly reason: string }[];
  readonly offers: readonly LoggedOffer[];
}

/** A service whose lenders make only the offers that the test delivers. */
export class OfferStage {
  private answers = 0;

  private constructor(
    readonly bench: InstantLoanBench,
    /** The questions to the lenders. */
    private readonly asked: MockInstance<LenderGateway['ask']>,
  ) {}

  static async open(): Promise<OfferStage> {
    const bench = await InstantLoanBench.open();
    const gateway = bench.service.get<LenderGateway>(LenderGateway);
    const ask = gateway.ask.bind(gateway);
    const asked = vi
      .spyOn(gateway, 'ask')
      .mockImplementation((question) =>
        question.kind === 'OFFERS'
          ? Promise.resolve({ status: 'PENDING', askAgainInMs: DAY })
          : ask(question),
      );
    return new OfferStage(bench, asked);
  }

  close(): Promise<void> {
    return this.bench.close();
  }

  /** An offer whose fee and rate differ from the lender's configured terms. */
  offer(fee: number, parts: Partial<LenderOffer> = {}): LenderOffer {
    const { annualRatePercent = 21, tenureMonths = 6 } = parts;
    const terms = { principal: PRINCIPAL, annualRatePercent, tenureMonths };
    const fees = [{ name: 'Processing fee', payee: 'LENDER' as const, amount: fee }];
    const { instalment, apr } = quoteLoan({ ...terms, fees });
    return {
      ...terms,
      reference: `offer-${(this.answers += 1)}`,
      minimumAmount: PRINCIPAL,
      instalment,
      apr,
      netDisbursed: PRINCIPAL,
      fees,
      validUntil: new Date(this.bench.service.now().getTime() + 10 * DAY).toISOString(),
      collateralExplanation: null,
      ...parts,
    };
  }

  /** A lender's answer with this one offer. */
  offering(fee: number, parts: Partial<LenderOffer> = {}): LenderAnswer {
    return offered(this.offer(fee, parts));
  }

  async create(): Promise<CreatedInstantLoan & { id: string }> {
    const loan = await this.bench.create();
    return { ...loan, id: loan.applicationId };
  }

  /** Delivers a lender's answer. */
  async tell(id: string, lenderCode: LenderCode, answer: LenderAnswer): Promise<void> {
    const answerId = `answer-${id}-${(this.answers += 1)}`;
    await this.bench.transaction(async (tx) =>
      this.bench.service.get<LenderInbox>(LenderInbox).receive(tx, {
        lenderCode,
        answerId,
        partnerId: this.bench.service.partnerId,
        subjectId: (await this.bench.row(id)).journey_id,
        kind: 'OFFERS',
        reference: '1',
        answer,
      }),
    );
    await eventually(async () => {
      const waiting = await this.bench.records.query(
        'SELECT 1 FROM lender_inbox WHERE answer_id = $1 AND consumed_at IS NULL',
        [answerId],
      );
      if (waiting.length > 0) throw new Error(`${answerId} of ${lenderCode} is not taken up`);
    }, PATIENT);
  }

  /** Delivers an answer of each lender, in the order of `LENDERS`. */
  async tellAll(
    id: string,
    ...all: readonly [LenderAnswer, LenderAnswer, LenderAnswer]
  ): Promise<void> {
    for (const [index, answer] of all.entries()) await this.tell(id, LENDERS[index], answer);
  }

  /** An application with one offer, of navdhara. */
  async offeredAt(
    fee: number,
    parts: Partial<LenderOffer> = {},
  ): Promise<CreatedInstantLoan & { id: string }> {
    const loan = await this.create();
    await this.tellAll(loan.id, this.offering(fee, parts), DECLINED, DECLINED);
    return loan;
  }

  /** Runs `work` while a lender is switched off. */
  async without(lenderCode: LenderCode, work: () => Promise<void>): Promise<void> {
    const catalogue = this.bench.service.get<LenderCatalogue>(LenderCatalogue);
    const all = await catalogue.serving('ONLINE_INSTANT');
    const serving = vi
      .spyOn(catalogue, 'serving')
      .mockResolvedValue(all.filter(({ code }) => code !== lenderCode));
    await work().finally(() => serving.mockRestore());
  }

  /** The withdrawals of an application, each with its reason and lender. */
  async withdrawals(id: string): Promise<string[]> {
    const rows = await this.bench.records.query<{ withdrawal: string }>(
      `SELECT reference || ' ' || lender_code AS withdrawal FROM lender_questions
       WHERE subject_id IN (${JOURNEY}) AND kind = 'WITHDRAWAL' ORDER BY created_at, withdrawal`,
      [id],
    );
    return rows.map(({ withdrawal }) => withdrawal);
  }

  /** The newest comparison of the matching log. */
  async logged(id: string): Promise<LoggedComparison> {
    const [row] = await this.bench.records.query<{ content: string }>(
      `SELECT content FROM offer_presentations WHERE subject_id IN (${JOURNEY}) AND kind = 'SHOWN'
       ORDER BY recorded_at DESC LIMIT 1`,
      [id],
    );
    return JSON.parse(row.content) as LoggedComparison;
  }

  async ordersOf(id: string): Promise<{ amount: number; expires: Date }[]> {
    return this.bench.records.query(
      `SELECT amount::int, expires_at AS expires FROM payment_orders
       WHERE subject_id IN (${JOURNEY})`,
      [id],
    );
  }

  /** The question whether the lender sanctions an application. */
  decisionAsked(id: string): Question {
    const [question] = this.asked.mock.calls.flatMap(([one]) =>
      one.kind === 'DECISION' && one.payload.applicationId === id ? [one] : [],
    );
    return question;
  }
}

/** The cards of a page, in order. */
export function cardsOf(page: string): string[] {
  return page
    .split('<article')
    .slice(1)
    .map((card) => card.split('</article>')[0]);
}

export const offered = (...offers: LenderOffer[]): LenderAnswer => ({ kind: 'OFFERED', offers });

/** The comparison page, also after a choice. */
export async function comparisonAt(url: string, language: 'en' | 'hi' = 'en'): Promise<string> {
  const { location, text } = await new ApplicantBrowser(language).open(`${url}/offers`);
  return location === '' ? text : pageAt(url, language);
}

/** The payment page; of several offers the first is chosen. */
export async function payPageAt(url: string, language: 'en' | 'hi' = 'en'): Promise<string> {
  return (await new ApplicantBrowser(language).openToPay(url)).text;
}

export async function pageAt(url: string, language: 'en' | 'hi' = 'en'): Promise<string> {
  return (await new ApplicantBrowser(language).open(url)).text;
}
