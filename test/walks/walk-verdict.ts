import type { Pool } from 'pg';
import { Findings } from '../faults/run-parts.ts';
import type { FakeRazorpay } from '../support/fake-razorpay.ts';
import type { Books } from '../support/reference-lenders.ts';

interface JourneyRow {
  readonly id: string;
  readonly applicationId: string;
  readonly isLoan: boolean;
  readonly state: string;
  readonly lead: string;
  readonly lender: string | null;
  readonly selection: { loanAmount: number; applicationReference: string } | null;
  readonly payout: { amount: number; transferReference: string; loanReference: string } | null;
  readonly fee: { amount: number; onDecline: 'KEPT' | 'REFUND' } | null;
  readonly orders: string[];
  readonly trail: string[];
  readonly sequences: number[];
}

type Asked = Books['questions'][number];

const PASSED_STEPS: Readonly<Record<string, string>> = {
  KYC_PASSED: 'KYC',
  MANDATE_PASSED: 'MANDATE',
  ESIGN_PASSED: 'ESIGN',
};
const BAD_FLAGS = ['UNREADABLE_ANSWER', 'PAYOUT_DIFFERS', 'OFFER_REFUSED'];

/** Compares every journey's end with the lenders' and the gateway's books; each line is a violation. */
export class WalkVerdict extends Findings {
  private readonly books: Books;
  private readonly razorpay: FakeRazorpay;

  constructor(pool: Pool, books: Books, razorpay: FakeRazorpay) {
    super(pool);
    this.books = books;
    this.razorpay = razorpay;
  }

  async onJourneys(ids: readonly (string | undefined)[]): Promise<readonly JourneyRow[]> {
    const rows = await this.query<JourneyRow>(JOURNEYS);
    const known = new Set(rows.map(({ id }) => id));
    for (const id of ids) if (!id || !known.has(id)) this.findings.push(`${id} is not there`);
    this.check(rows.length === ids.length, `${rows.length} journeys, not ${ids.length}`);
    for (const row of rows) this.onJourney(row);
    return rows;
  }

  async onWhatIsLeft(): Promise<void> {
    const left = await this.query<{ what: string; count: number }>(LEFT);
    for (const { what, count } of left) this.check(count === 0, `${count} ${what}`);
    const flags = await this.query<{ finding: string }>(FLAGS, [BAD_FLAGS]);
    this.findings.push(...flags.map(({ finding }) => finding));
    for (const { lender, path, id, lastStatus } of this.books.messages) {
      this.check(lastStatus === '202', `${lender}: ${path} ${id} was answered ${lastStatus}`);
    }
  }

  private onJourney(row: JourneyRow): void {
    const say = (what: string, isTrue: boolean) =>
      this.check(isTrue, `${row.id} (${row.state}; ${row.trail.join(' ')}): ${what}`);
    say('the lead says the same', row.lead === row.state);
    say(
      'its events are numbered',
      row.sequences.every((each, index) => each === index + 1),
    );
    if (row.isLoan) {
      this.onLoan(row, say);
      this.onMoney(row, say);
    } else {
      // Until the fee is paid another offer of an instant loan can be chosen.
      say('nothing moves twice', new Set(row.trail).size === row.trail.length);
      this.onChoice(row, say);
      this.onEnd(row, say);
    }
    this.onWithdrawals(row, say);
  }

  private onLoan(row: JourneyRow, say: Say): void {
    const loans = this.books.loans.filter(isOf(row));
    if (row.state === 'SANCTIONED') {
      say('it was lent once', loans.length === 1);
      say('by the lender that was chosen', loans[0]?.lender === row.lender);
      say('its fee was paid', row.fee !== null);
      return;
    }
    say('nothing was lent', loans.length === 0);
    this.onRefusal(row, say);
  }

  /** The gateway keeps only the fee that the terms keep, and has refunded everything else. */
  private onMoney(row: JourneyRow, say: Say): void {
    const { refunds } = this.razorpay;
    const paid = row.orders.flatMap((id) => this.razorpay.paidOn(id));
    const kept = paid.reduce((sum, { id, amount }) => sum + amount - refunds.totalOf(id), 0);
    const isKept = row.state === 'SANCTIONED' || row.fee?.onDecline === 'KEPT';
    const expected = isKept && row.fee ? row.fee.amount : 0;
    say(`of its fees ${expected} paise are kept, not ${kept}`, kept === expected);
  }

  private onChoice(row: JourneyRow, say: Say): void {
    const choices = this.books.selections.filter(isOf(row));
    say('it was chosen once at the most', choices.length <= 1);
    say('a choice is on both sides', row.trail.includes('OFFER_SELECTED') === choices.length > 0);
    const [choice] = choices;
    if (!choice) return;
    const { lender, amount, applicationReference, timesMade } = choice;
    say('the choice was made once', timesMade === 1);
    say('the lender is the one that was chosen', lender === row.lender);
    say('the amount is the one that was chosen', amount === row.selection?.loanAmount);
    const { selection } = row;
    say('the application has its name', applicationReference === selection?.applicationReference);
  }

  private onEnd(row: JourneyRow, say: Say): void {
    const payouts = this.books.payouts.filter(isOf(row));
    const asked = this.asked(row);
    say('the lender has passed what we say it has', passed(row).every(isIn(stepsPassed(asked))));
    if (row.state === 'SANCTIONED') {
      const [paid] = payouts;
      say('it was paid out once', payouts.length === 1);
      say('by the lender that was chosen', paid?.lender === row.lender);
      const { payout } = row;
      say('with the amount and references of the books', isSamePayout(paid, payout));
      return;
    }
    say('nothing was paid out', payouts.length === 0);
    this.onRefusal(row, say);
  }

  private onRefusal(row: JourneyRow, say: Say): void {
    const asked = this.asked(row);
    say('it has an end', row.state === 'REJECTED');
    const isChosen = row.trail.includes('OFFER_SELECTED');
    const refusing = asked.filter(({ verdict }) => REFUSALS.has(verdict ?? ''));
    say('a lender has refused', refusing.length > 0);
    const offered = asked.filter(({ verdict }) => verdict === 'OFFERED');
    say(
      'no lender has made an offer that the applicant did not see',
      isChosen || offered.length === 0,
    );
  }

  private onWithdrawals(row: JourneyRow, say: Say): void {
    const offered = this.asked(row).filter(({ verdict }) => verdict === 'OFFERED');
    const withdrawals = this.books.withdrawals.filter(isOf(row));
    for (const { lender } of offered) {
      const reasons = withdrawals
        .filter((one) => one.lender === lender)
        .map(({ reason }) => reason);
      const isChosen = lender === row.lender;
      // The lender of an instant loan ends it through its decision.
      const isEnded = row.state === 'REJECTED' && !row.isLoan;
      const expected = !isChosen ? 'NOT_CHOSEN' : isEnded ? 'ENDED' : '';
      say(`${lender} was sent ${expected || 'nothing'}`, reasons.join() === expected);
    }
  }

  private asked({ id }: JourneyRow): Asked[] {
    return this.books.questions.filter(({ key }) => key.startsWith(`${id}:`));
  }
}

type Say = (what: string, isTrue: boolean) => void;

const REFUSALS = new Set(['DECLINED', 'FAILED', 'REFUSED', 'REFUSED_FOR_GOOD']);

function isOf({ applicationId }: JourneyRow) {
  return (one: { readonly applicationId: string }) => one.applicationId === applicationId;
}

function isIn<Item>(items: ReadonlySet<Item>) {
  return (item: Item) => items.has(item);
}

function passed({ trail }: JourneyRow): string[] {
  return trail.flatMap((trigger) => PASSED_STEPS[trigger] ?? []);
}

function stepsPassed(asked: readonly Asked[]): ReadonlySet<string> {
  const verdicts = asked.filter(({ call, verdict }) => call === 'steps' && verdict === 'PASSED');
  return new Set(verdicts.map(({ key }) => key.split(':')[1] ?? ''));
}

function isSamePayout(
  paid: Books['payouts'][number] | undefined,
  payout: JourneyRow['payout'],
): boolean {
  return (
    paid?.amount === payout?.amount &&
    paid?.utr === payout?.transferReference &&
    paid?.loanReference === payout?.loanReference
  );
}

const JOURNEYS = `
  SELECT j.id, j.application_id AS "applicationId", j.state, a.status AS lead, j.selection, j.payout,
    o.lender_code AS lender, j.product_code = 'ONLINE_INSTANT' AS "isLoan",
    (SELECT jsonb_build_object('amount', amount, 'onDecline', fee_on_decline) FROM journey_fees
      WHERE journey_id = j.id AND gateway_payment_id IS NOT NULL) AS fee,
    ARRAY(SELECT id FROM payment_orders WHERE subject_id = j.id) AS orders,
    ARRAY(SELECT trigger FROM journey_audit WHERE journey_id = j.id ORDER BY id) AS trail,
    ARRAY(SELECT sequence FROM webhook_events WHERE journey_id = j.id ORDER BY sequence)
      AS sequences
  FROM journeys j JOIN applications a ON a.id = j.application_id
  LEFT JOIN journey_offers o ON o.id = j.selected_offer_id
`;

/** What must be finished at the end. */
export const LEFT = `
  SELECT 'answers were never taken up' AS what, count(*)::int FROM lender_inbox
  WHERE consumed_at IS NULL
  UNION ALL
  SELECT 'actions are open still', count(*)::int FROM journey_intents WHERE status = 'OPEN'
  UNION ALL
  SELECT 'questions are open still', count(*)::int FROM lender_questions WHERE status = 'OPEN'
  UNION ALL
  SELECT 'payments are neither kept nor sent back', count(*)::int FROM payments
  WHERE unsettled_at IS NOT NULL
  UNION ALL
  SELECT 'refunds are not done', count(*)::int FROM payment_refunds WHERE status <> 'DONE'
`;

const FLAGS = `
  SELECT subject_id || ' was put before the operator: ' || kind || ' ' || detail AS finding
  FROM operator_flags WHERE kind = ANY ($1) ORDER BY id
`;
