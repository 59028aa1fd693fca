import { z } from 'zod';
import { auditSource, toldJson } from '../../audit/index.js';
import { formatPercent, formatRupees } from '../../platform/index.js';
import type { Trigger } from '../domain/transition-table.js';
import { JourneyAuditRow } from './journey-audit.entity.js';

const NOTES: Readonly<Record<string, string>> = {
  AMOUNT_NAMED: 'The applicant named the amount',
  CONSENTED: 'The applicant gave their consent',
  CONFIRMED: 'The applicant confirmed their details',
  KEY_FACTS_ACKNOWLEDGED: 'The applicant acknowledged the Key Facts Statement',
  OFFER_REVISED:
    'The lender made another offer in the place of the chosen one: nothing of it is agreed to until it is chosen',
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
  })
  .partial();

export const JOURNEY_AUDIT_SOURCE = auditSource(JourneyAuditRow, {
  subject: 'journeyId',
  at: 'createdAt',
  isErasure: ({ trigger }) => trigger === 'APPLICANT_ERASED',
  tell: ({ trigger = '', from_state: from, to_state: to = '', detail }) => {
    const { loanAmount, outcomeReason, selectedOfferId, chosen, payout } = toldJson(Detail, detail);
    const note = NOTES[trigger];
    const isNamed = trigger === 'AMOUNT_NAMED' && loanAmount !== undefined;
    if (note) return isNamed ? `${note}: ${formatRupees(loanAmount)}.` : `${note}.`;
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
