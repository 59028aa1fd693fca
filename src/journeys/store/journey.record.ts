import { type CurrentRecord, detailOf, type RecordedRow, textOf } from '../../audit/index.js';
import { JOURNEY_AUDIT_SOURCE } from './journey-audit.source.js';

/** The state, the amount, the choice and the payout of a journey, as its audit determines them. */
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
      ...(!isNote(row) && { ...moved, ...choice, ...terms(detail) }),
    };
    return { key: textOf(row.journey_id), values };
  },
};

/** The fee of each choice, as the journey's audit determines it. */
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

/** The lead of a journey has the journey's state and amount; of an instant loan, the status of the entry. */
export const journeyLead: CurrentRecord['determinedBy'] = (table, row) => {
  if (table !== JOURNEY_AUDIT_SOURCE.table) return null;
  const { applicationId, loanAmount: amount, leadStatus } = detailOf(row);
  const values = {
    ...loanDeterminedBy(row, { state: 'status', amount }),
    ...(leadStatus !== undefined && { status: leadStatus }),
  };
  return { key: textOf(applicationId), values };
};

/** A note may have been written without a lock of the journey: of what it repeats, nothing counts. */
function isNote(row: RecordedRow): boolean {
  return row.from_state === row.to_state;
}

function loanDeterminedBy(row: RecordedRow, { state, amount }: { state: string; amount: unknown }) {
  return {
    ...(!isNote(row) && { [state]: row.to_state }),
    ...((!isNote(row) || row.trigger === 'AMOUNT_NAMED') && { loan_amount: amount }),
  };
}

function terms({ selectedOfferId, chosen, payout }: RecordedRow): RecordedRow {
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
