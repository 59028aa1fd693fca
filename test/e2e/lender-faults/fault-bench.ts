import { expect } from 'vitest';
import type { FaultKind } from '../../../examples/lender/faults.ts';
import { eventually } from '../../support/eventually.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  atSandboxGateway,
  openGateway,
} from '../../support/instant-loans.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { partnerClient } from '../../support/partner-client.js';
import { VisitedJourney } from '../journeys/visited-journey.js';
import { LenderStage } from './lender-stage.js';

/** The questions that the chosen lender gets in every journey. */
export const QUESTIONS = [
  'offers',
  'quotes',
  'selections',
  'sessions',
  'steps',
  'accounts',
  'disbursements',
] as const;

const WHOLE_WAY = [
  'STARTED',
  'OFFERS_ARRIVED',
  'OFFER_SELECTED',
  'KYC_PASSED',
  'ACCOUNT_ACCEPTED',
  'MANDATE_PASSED',
  'ESIGN_PASSED',
  'PAID_OUT',
];

/** A product with exactly two lenders: one is chosen, the other is not. */
export interface Lane {
  readonly product: string;
  readonly chosen: string;
  readonly other: string;
}

export const LANES: readonly [Lane, Lane, Lane] = [
  { product: 'ONLINE_PERSONAL', chosen: 'personal-chosen', other: 'personal-other' },
  { product: 'ONLINE_SHORT_TERM', chosen: 'short-chosen', other: 'short-other' },
  { product: 'ONLINE_BUSINESS', chosen: 'business-chosen', other: 'business-other' },
];

/** Decides on instant loans only. */
export const DECIDER = 'instant-decider';

/** Values that must be equal in the journey's record and in the lender's books. */
interface Recorded {
  readonly applicationId: string;
  readonly reference: string;
  readonly amount: number;
  readonly payout: {
    readonly amount: number;
    readonly transferReference: string;
    readonly loanReference: string;
  };
}

/** Journeys with remote lenders, and faults that the test orders from the lenders. */
export class FaultBench {
  private constructor(
    readonly stage: LenderStage,
    readonly records: JourneyRecords,
  ) {}

  static async open(): Promise<FaultBench> {
    const journeys = LANES.map(({ product, chosen, other }) => {
      return { code: product, lenders: [chosen, other] };
    });
    const stage = await LenderStage.open([
      ...journeys,
      { code: 'ONLINE_INSTANT', lenders: [DECIDER] },
    ]);
    return new FaultBench(stage, new JourneyRecords(stage.service.databaseUrl));
  }

  async close(): Promise<void> {
    await this.records.close();
    await this.stage.close();
  }

  /** Orders one fault for each question, in rotation, and one for the other lender's withdrawal. */
  async order(
    { chosen, other }: Lane,
    kinds: readonly FaultKind[],
    secondsOf: (kind: FaultKind) => number | undefined = () => undefined,
  ): Promise<void> {
    const { lenders } = this.stage;
    for (const [index, message] of [...QUESTIONS, 'withdrawals'].entries()) {
      const kind = kinds[index % kinds.length];
      const lender = message === 'withdrawals' ? other : chosen;
      await lenders.order(lender, message, kind, { seconds: secondsOf(kind) });
    }
  }

  begin({ product: productCode, chosen }: Lane): Promise<VisitedJourney> {
    const choice = { sellerName: `Lender ${chosen}`, loanAmount: 150_000 };
    return VisitedJourney.start(this.stage.service, { productCode }, choice);
  }

  /** Applies for an instant loan, pays its fee, and waits for the decision. */
  async decided(): Promise<string> {
    const client = partnerClient(this.stage.service);
    const { status, json } = await applyForInstantLoan(client);
    if (status !== 200) throw new Error(`instant-loans answered ${status}: ${json.error}`);
    const { applicationId, redirectUrl } = json.data;
    const browser = new ApplicantBrowser();
    await atSandboxGateway(browser, await openGateway(browser, redirectUrl), 'pay');
    await eventually(
      async () => {
        const answer = await client.get<{ status: string }>(`/leads/${applicationId}/status`);
        return answer.json.data.status === 'SANCTIONED';
      },
      { withinMs: 45_000 },
    );
    return applicationId;
  }

  async recorded(id: string): Promise<Recorded> {
    const [journey] = await this.records.query<Recorded>(
      `SELECT application_id AS "applicationId", selection ->> 'applicationReference' AS reference,
         (selection ->> 'loanAmount')::float8 AS amount, payout FROM journeys WHERE id = $1`,
      [id],
    );
    return journey;
  }
}

/**
 * Expects one decision per question, whatever happened to the responses.
 * @param flags expected kinds of operator flags
 */
export async function expectOneOfEach(
  bench: FaultBench,
  id: string,
  lane: Lane,
  flags: readonly string[] = [],
): Promise<void> {
  expect(await bench.records.trail(id)).toEqual(WHOLE_WAY);
  expect(await bench.records.flags(id)).toEqual(flags);
  await expectSameInBooks(bench, id, lane);
}

/**
 * Expects one choice and one payout in the lender's books, equal to the journey's, and a withdrawal at the other
 * lender.
 */
async function expectSameInBooks(
  bench: FaultBench,
  id: string,
  { chosen, other }: Lane,
): Promise<void> {
  const { applicationId, reference, amount, payout } = await bench.recorded(id);
  await eventually(async () => {
    const books = await bench.stage.lenders.books();
    const mine = <Row extends { applicationId: string }>(rows: readonly Row[]) =>
      rows.filter((row) => row.applicationId === applicationId);
    expect(mine(books.selections)).toMatchObject([
      { lender: chosen, applicationReference: reference, amount, timesMade: 1 },
    ]);
    expect(mine(books.payouts)).toMatchObject([
      {
        lender: chosen,
        amount: payout.amount,
        utr: payout.transferReference,
        loanReference: payout.loanReference,
      },
    ]);
    expect(mine(books.withdrawals)).toMatchObject([{ lender: other, reason: 'NOT_CHOSEN' }]);
  });
}
