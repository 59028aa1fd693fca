import { z } from 'zod';
import {
  auditSource,
  type CurrentRecord,
  detailOf,
  type RecordedRow,
  textOf,
  recordedJson,
} from '../../audit/index.js';
import { formatPercent, formatRupees } from '../../platform/index.js';
import type { Trigger } from '../domain/transition-table.js';
import { JourneyAuditRow } from './journey.entity.js';

const NOTES: Readonly<Record<string, string>> = {
  AMOUNT_NAMED: 'The applicant named the amount',
  CONSENTED: 'The applicant gave their consent',
  CONFIRMED: 'The applicant confirmed their details',
  KEY_FACTS_ACKNOWLEDGED: 'The applicant acknowledged the Key Facts Statement',
  OFFER_REVISED:
    'The lender made another offer in the place of the chosen one: nothing of it is agreed to until it is chosen',
  FEE_ASKED: 'The fee of the chosen lender is to be paid',
  FEE_ORDERED: 'The payment of the fee was ordered',
  FEE_ORDERED_AGAIN: 'The payment of the fee was ordered again',
  FEE_TAKEN: 'The payment of the fee counts',
  FEE_TRY_FAILED: 'A try to pay the fee failed',
  FEE_RETURNED: 'It was decided that a payment goes back to the applicant',
  FEE_WAIVED: 'The lender may not keep the fee, as it refused to decide',
  FEE_KEPT: 'The lender keeps the fee, as its terms say',
  REFUND_TOLD: 'A text message was written that tells the applicant of the refund',
  APPLICANT_ERASED: 'The applicant’s personal data was erased',
};

const MOVES: Readonly<Record<Trigger, string>> = {
  OFFERS_ARRIVED: 'Lenders made offers',
  OFFERS_OPENED: 'The applicant opened the offers before every lender had answered',
  LENDERS_DECLINED: 'No offer of the lenders that answered could be taken',
  LENDERS_SILENT: 'No lender answered in time',
  OFFER_SELECTED: 'The applicant chose an offer',
  OFFERS_RAN_OUT: 'The offers ran out, and the lenders are to be asked again',
  BRANCH_SELECTED: 'The applicant chose a branch',
  ACCOUNT_ACCEPTED: 'The bank account was accepted',
  ACCOUNT_REFUSED: 'The bank account was refused',
  KYC_PASSED: 'The applicant’s identity was verified (KYC)',
  KYC_REFUSED: 'The applicant’s identity was not verified (KYC)',
  MANDATE_PASSED: 'The applicant set up the mandate to repay',
  MANDATE_REFUSED: 'The mandate to repay was refused',
  ESIGN_PASSED: 'The applicant signed the loan agreement',
  ESIGN_REFUSED: 'The loan agreement was not signed',
  FEE_PAID: 'The applicant paid the fee',
  FEE_UNPAID: 'The time to pay the fee ended',
  LOAN_SANCTIONED: 'The lender sanctioned the loan',
  LOAN_DECLINED: 'The lender declined the loan after the payment',
  PAID_OUT: 'The lender paid the loan out',
  PAYOUT_REFUSED: 'The lender did not pay the loan out',
  OFFER_LET_GO: 'The chosen offer was let go for another one',
  CONSENT_WITHDRAWN: 'The applicant stopped the application and took their consent back',
  WENT_IDLE: 'Nothing happened for too long',
};

const Detail = z
  .object({
    outcomeReason: z.string().nullable(),
    selectedOfferId: z.string().nullable(),
    loanAmount: z.int(),
    chosen: z.object({ loanAmount: z.int(), apr: z.number(), tenureMonths: z.int() }),
    payout: z.object({ amount: z.int(), transferReference: z.string() }),
    /** The fee, in paise. */
    amount: z.int(),
    orderId: z.string(),
    gatewayPaymentId: z.string(),
    refundId: z.string(),
  })
  .partial();

function paymentFacts({
  amount,
  orderId,
  gatewayPaymentId,
  refundId,
}: Pick<z.infer<typeof Detail>, 'amount' | 'orderId' | 'gatewayPaymentId' | 'refundId'>): string {
  const facts = [
    amount !== undefined && formatRupees(amount),
    gatewayPaymentId && `payment ${gatewayPaymentId}`,
    orderId && `order ${orderId}`,
    refundId && `refund ${refundId}`,
  ];
  return facts.filter(Boolean).join(', ');
}

export const JOURNEY_AUDIT_SOURCE = auditSource(JourneyAuditRow, {
  subject: 'journeyId',
  at: 'createdAt',
  isErasure: ({ trigger }) => trigger === 'APPLICANT_ERASED',
  tell: ({ trigger = '', from_state: from, to_state: to = '', detail }) => {
    const details = recordedJson(Detail, detail);
    const { loanAmount, outcomeReason, selectedOfferId, chosen, payout } = details;
    const note = NOTES[trigger];
    if (note) {
      const facts = trigger === 'AMOUNT_NAMED' ? { amount: loanAmount } : details;
      return [note, paymentFacts(facts)].filter(Boolean).join(': ') + '.';
    }
    if (from === undefined) return 'The journey began.';
    const why = outcomeReason ? `, because ${outcomeReason}` : '';
    const what = MOVES[trigger as Trigger] ?? `What is called ${trigger} happened`;
    const which = trigger === 'OFFER_SELECTED' && selectedOfferId ? `, ${selectedOfferId}` : '';
    const terms = chosen
      ? `, ${formatRupees(chosen.loanAmount)} for ${chosen.tenureMonths} months, APR ${formatPercent(chosen.apr)}`
      : '';
    const sent = payout
      ? `; ${formatRupees(payout.amount)} were sent, transfer reference ${payout.transferReference}`
      : '';
    return `${what}${which}${terms}: the journey went from ${from} to ${to}${why}${sent}.`;
  },
});

export const JOURNEY_RECORD: CurrentRecord = {
  table: 'journeys',
  subject: ['id'],
  key: 'id',
  values: {
    state: 'r.state',
    loan_amount: 'r.loan_amount',
    offer_round: 'r.offer_round',
    outcome_reason: 'r.outcome_reason',
    selected_offer_id: 'r.selected_offer_id',
    selected_branch_id: 'r.selected_branch_id',
    selected_amount: `r.selection ->> 'loanAmount'`,
    selected_apr: `r.selection ->> 'apr'`,
    selected_tenure: `r.selection ->> 'tenureMonths'`,
    payout_amount: `r.payout ->> 'amount'`,
    payout_reference: `r.payout ->> 'transferReference'`,
  },
  determinedBy: (table, row) => {
    if (table !== JOURNEY_AUDIT_SOURCE.table) return null;
    const { loanAmount, offerRound, outcomeReason, ...detail } = detailOf(row);
    const { selectedOfferId, selectedBranchId } = detail;
    const moved = { offer_round: offerRound, outcome_reason: outcomeReason };
    const choice = { selected_offer_id: selectedOfferId, selected_branch_id: selectedBranchId };
    const values = {
      ...loanDeterminedBy(row, { state: 'state', amount: loanAmount }),
      ...(!isNote(row) && { ...moved, ...choice, ...settledTerms(detail) }),
    };
    return { key: textOf(row.journey_id), values };
  },
};

export const JOURNEY_FEE_RECORD: CurrentRecord = {
  table: 'journey_fees',
  subject: ['journey_id'],
  key: 'redirect_id',
  values: {
    amount: 'r.amount',
    fee_on_decline: 'r.fee_on_decline',
    lender_code: 'r.lender_code',
    order_id: 'r.order_id',
    gateway_payment_id: 'r.gateway_payment_id',
  },
  determinedBy: (table, row) => {
    if (table !== JOURNEY_AUDIT_SOURCE.table || typeof row.trigger !== 'string') return null;
    const detail = detailOf(row);
    const { redirectId, amount, feeOnDecline, lenderCode, orderId, gatewayPaymentId } = detail;
    const values = FEE_VALUES[row.trigger]?.({
      amount,
      fee_on_decline: feeOnDecline,
      lender_code: lenderCode,
      order_id: orderId,
      gateway_payment_id: gatewayPaymentId,
    });
    return values ? { key: textOf(redirectId), values } : null;
  },
};

const FEE_VALUES: Readonly<Record<string, (values: RecordedRow) => RecordedRow>> = {
  FEE_ASKED: ({ amount, fee_on_decline, lender_code }) => ({
    amount,
    fee_on_decline,
    lender_code,
    order_id: null,
    gateway_payment_id: null,
  }),
  FEE_WAIVED: ({ fee_on_decline }) => ({ fee_on_decline }),
  FEE_ORDERED: ({ order_id }) => ({ order_id }),
  FEE_ORDERED_AGAIN: ({ order_id }) => ({ order_id }),
  FEE_TAKEN: ({ order_id, gateway_payment_id }) => ({ order_id, gateway_payment_id }),
};

/** A lead has its journey's state and amount, or an instant loan's status. */
export const journeyLead: CurrentRecord['determinedBy'] = (table, row) => {
  if (table !== JOURNEY_AUDIT_SOURCE.table) return null;
  const { applicationId, loanAmount: amount, leadStatus } = detailOf(row);
  const values = {
    ...loanDeterminedBy(row, { state: 'status', amount }),
    ...(leadStatus !== undefined && { status: leadStatus }),
  };
  return { key: textOf(applicationId), values };
};

/**
 * A note may be written without the journey's lock, so the state that it repeats does not count.
 */
function isNote(row: RecordedRow): boolean {
  return row.from_state === row.to_state;
}

function loanDeterminedBy(row: RecordedRow, { state, amount }: { state: string; amount: unknown }) {
  return {
    ...(!isNote(row) && { [state]: row.to_state }),
    ...((!isNote(row) || row.trigger === 'AMOUNT_NAMED') && { loan_amount: amount }),
  };
}

function settledTerms({ selectedOfferId, chosen, payout }: RecordedRow): RecordedRow {
  const { loanAmount, apr, tenureMonths } = (chosen ?? {}) as RecordedRow;
  const { amount, transferReference } = (payout ?? {}) as RecordedRow;
  const isSettled = chosen !== undefined || selectedOfferId === null;
  return {
    ...(isSettled && {
      selected_amount: loanAmount,
      selected_apr: apr,
      selected_tenure: tenureMonths,
    }),
    payout_amount: amount,
    payout_reference: transferReference,
  };
}
