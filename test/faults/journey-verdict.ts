import type { Pool } from 'pg';
import type { FakeRazorpay } from '../support/fake-razorpay.ts';
import type { Books } from '../support/reference-lenders.ts';
import type { DrivenJourney } from './driven-journey.ts';
import { Findings } from './run-parts.ts';

interface JourneyRow {
  readonly id: string;
  readonly applicationId: string;
  readonly isLoan: boolean;
  readonly state: string;
  readonly lead: string;
  readonly lender: string | null;
  readonly offerId: string | null;
  readonly selection: { loanAmount: number; applicationReference: string } | null;
  readonly payout: { amount: number; transferReference: string; loanReference: string } | null;
  readonly fee: { amount: number; onDecline: 'KEPT' | 'REFUND' } | null;
  readonly orders: string[];
  readonly trail: string[];
  readonly sequence: number;
  readonly sequences: number[];
}

type Say = (what: string, isTrue: boolean) => void;

const PASSED_STEPS: Readonly<Record<string, string>> = {
  KYC_PASSED: 'KYC',
  MANDATE_PASSED: 'MANDATE',
  ESIGN_PASSED: 'ESIGN',
};
const REFUSALS = ['DECLINED', 'FAILED', 'REFUSED', 'REFUSED_FOR_GOOD'];
const BAD_FLAGS = ['UNREADABLE_ANSWER', 'PAYOUT_DIFFERS', 'OFFER_REFUSED', 'REFUND_FAILED'];

/** Checks that every journey ended as in the books of the lenders and the gateway. */
export class JourneyVerdict extends Findings {
  readonly #books: Books;
  readonly #razorpay: FakeRazorpay;

  constructor(pool: Pool, books: Books, razorpay: FakeRazorpay) {
    super(pool);
    this.#books = books;
    this.#razorpay = razorpay;
  }

  async onJourneys(ids: readonly (string | undefined)[]): Promise<readonly JourneyRow[]> {
    const rows = await this.query<JourneyRow>(JOURNEYS);
    const known = new Set(rows.map(({ id }) => id));
    for (const id of ids) this.check(known.has(id ?? ''), `${id} is not there`);
    this.check(rows.length === ids.length, `${rows.length} journeys, not ${ids.length}`);
    for (const row of rows) this.#onJourney(row);
    const orders = rows.flatMap((row) => row.orders);
    for (const { reference_id: order } of this.#razorpay.links.values()) {
      this.check(orders.includes(order), `the gateway has an order ${order} that we have not`);
    }
    return rows;
  }

  /** Checks the choices that partners got a 200 for. */
  onChoices(journeys: readonly DrivenJourney[], rows: readonly JourneyRow[]): void {
    for (const { id, choices } of journeys) {
      const [choice, ...others] = choices;
      if (!choice) continue;
      const row = rows.find((one) => one.id === id);
      this.check(others.length === 0, `${id} answered 200 to ${choices.length} choices`);
      const isSame =
        row?.offerId === choice.offerId && row.selection?.loanAmount === choice.loanAmount * 100;
      this.check(isSame, `${id} made another choice than it answered: ${JSON.stringify(choice)}`);
    }
  }

  async onWhatIsLeft(): Promise<void> {
    const left = await this.query<{ what: string; count: number }>(LEFT);
    for (const { what, count } of left) this.check(count === 0, `${count} ${what}`);
    const flags = await this.query<{ finding: string }>(FLAGS, [BAD_FLAGS]);
    this.findings.push(...flags.map(({ finding }) => finding));
    for (const { lender, path, id, lastStatus } of this.#books.messages) {
      this.check(lastStatus === '202', `${lender}: ${path} ${id} was answered ${lastStatus}`);
    }
  }

  #onJourney(row: JourneyRow): void {
    const { id, state, trail, sequences, isLoan } = row;
    const say: Say = (what, isTrue) =>
      this.check(isTrue, `${id} (${state}; ${trail.join(' ')}): ${what}`);
    say('the lead says the same', row.lead === state);
    const isNumbered = sequences.every((each, index) => each === index + 1);
    say('its events are numbered', isNumbered && sequences.length === row.sequence);
    if (isLoan) this.#onMoney(row, say);
    else {
      // Until its fee is paid, an instant loan may change its offer.
      say('nothing moves twice', new Set(trail).size === trail.length);
      this.#onChoice(row, say);
    }
    this.#onEnd(row, say);
    this.#onWithdrawals(row, say);
  }

  /** The gateway keeps one fee at most, if the terms keep it; all other payments are refunded. */
  #onMoney({ orders, state, fee }: JourneyRow, say: Say): void {
    const { refunds } = this.#razorpay;
    const paid = orders.flatMap((id) => this.#razorpay.paidOn(id));
    const kept = paid.reduce((sum, { id, amount }) => sum + amount - refunds.totalOf(id), 0);
    const isKept = state === 'SANCTIONED' || fee?.onDecline === 'KEPT';
    const expected = isKept && fee ? fee.amount : 0;
    say(`of its fees ${expected} paise are kept, not ${kept}`, kept === expected);
    say('its fee was paid', state !== 'SANCTIONED' || fee !== null);
  }

  #onChoice({ trail, lender, selection, applicationId }: JourneyRow, say: Say): void {
    const choices = this.#of('selections', applicationId);
    say('it was chosen once at the most', choices.length <= 1);
    say('a choice is on both sides', trail.includes('OFFER_SELECTED') === choices.length > 0);
    const [choice] = choices;
    if (!choice) return;
    say('the choice was made once', choice.timesMade === 1);
    say('the lender is the one that was chosen', choice.lender === lender);
    say('the amount is the one that was chosen', choice.amount === selection?.loanAmount);
    const isSame = choice.applicationReference === selection?.applicationReference;
    say('the application has its name', isSame);
  }

  #onEnd(row: JourneyRow, say: Say): void {
    const { state, isLoan, lender, payout, applicationId } = row;
    const passed = this.#asked(row)
      .filter(({ call, verdict }) => call === 'steps' && verdict === 'PASSED')
      .map(({ key }) => key.split(':')[1]);
    const steps = row.trail.flatMap((trigger) => PASSED_STEPS[trigger] ?? []);
    say(
      'the lender has passed what we say it has',
      steps.every((step) => passed.includes(step)),
    );
    const paid = this.#of(isLoan ? 'loans' : 'payouts', applicationId);
    const isSanctioned = state === 'SANCTIONED';
    say('it was lent once, or not at all', paid.length === (isSanctioned ? 1 : 0));
    if (!isSanctioned) {
      this.#onRefusal(row, say);
      return;
    }
    say('by the lender that was chosen', paid[0]?.lender === lender);
    const [said] = this.#of('payouts', applicationId);
    const isSame =
      said?.amount === payout?.amount &&
      said?.utr === payout?.transferReference &&
      said?.loanReference === payout?.loanReference;
    say('with the amount and references of the books', isLoan || isSame);
  }

  #onRefusal(row: JourneyRow, say: Say): void {
    const verdicts = this.#asked(row).map(({ verdict }) => verdict ?? '');
    say('it has an end', row.state === 'REJECTED');
    say(
      'a lender has refused',
      verdicts.some((verdict) => REFUSALS.includes(verdict)),
    );
    const isSeen = row.trail.includes('OFFER_SELECTED') || !verdicts.includes('OFFERED');
    say('no lender has made an offer that the applicant did not see', isSeen);
  }

  #onWithdrawals(row: JourneyRow, say: Say): void {
    const sent = this.#of('withdrawals', row.applicationId);
    for (const { lender, verdict } of this.#asked(row)) {
      if (verdict !== 'OFFERED') continue;
      const reasons = sent.filter((one) => one.lender === lender).map(({ reason }) => reason);
      // The lender itself ends an instant loan, by its decision.
      const ended = row.state === 'REJECTED' && !row.isLoan ? 'ENDED' : '';
      const expected = lender === row.lender ? ended : 'NOT_CHOSEN';
      say(`${lender} was notified of ${expected || 'nothing'}`, reasons.join() === expected);
    }
  }

  #of<Name extends 'selections' | 'loans' | 'payouts' | 'withdrawals'>(
    name: Name,
    applicationId: string,
  ): Books[Name][number][] {
    return this.#books[name].filter((one) => one.applicationId === applicationId);
  }

  #asked({ id }: JourneyRow): Books['questions'][number][] {
    return this.#books.questions.filter(({ key }) => key.startsWith(`${id}:`));
  }
}

const JOURNEYS = `
  SELECT j.id, j.application_id AS "applicationId", j.state, a.status AS lead, j.selection, j.payout,
    j.selected_offer_id AS "offerId", o.lender_code AS lender,
    j.product_code = 'ONLINE_INSTANT' AS "isLoan",
    (SELECT jsonb_build_object('amount', amount, 'onDecline', fee_on_decline) FROM journey_fees
      WHERE journey_id = j.id AND gateway_payment_id IS NOT NULL) AS fee,
    ARRAY(SELECT id FROM payment_orders WHERE subject_id = j.id) AS orders,
    ARRAY(SELECT trigger FROM journey_audit WHERE journey_id = j.id ORDER BY id) AS trail,
    j.event_sequence AS sequence,
    ARRAY(SELECT sequence FROM webhook_events WHERE journey_id = j.id ORDER BY sequence)
      AS sequences
  FROM journeys j JOIN applications a ON a.id = j.application_id
  LEFT JOIN journey_offers o ON o.id = j.selected_offer_id
`;

/** Work that must not be open at the end. */
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
