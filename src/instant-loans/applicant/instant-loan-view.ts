import type { KeyFactsStatement } from '../../key-facts/index.js';
import type { OfferTerms } from '../../lenders/index.js';
import type { Paise } from '../../loans/index.js';
import { type LenderIdentity, lenderIdentityOf } from '../../matching/index.js';
import type { PaymentPage, ReturnedMoney } from '../../payments/index.js';
import { isAnotherWanted } from '../domain/chosen-loan.js';
import type { LenderComparison } from '../domain/instant-loan.js';
import type { ChosenInstantLoan, InstantLoan } from '../store/instant-loan.entity.js';
import {
  type ContingentCharge,
  type CreditReportTerms,
  type GrievanceOfficer,
  type LenderContact,
  type Ombudsman,
  ombudsmanOf,
} from '../../settings/index.js';
import { isUnpaid } from '../domain/instant-loan-status.js';
import { beginUntil, isPastPaying, lastEnd, payUntil } from '../domain/pay-times.js';
import type { AskedLender } from './asked-lenders.js';
import { type ChargeTerms, type ComparedOffer, ownTermsOf } from './compared-offers.js';
import type { OfferlessView, StandingView } from './offerless-view.js';
import { type PaidMoney, paidMoneyOf } from './paid-money.js';

/** The statuses and the stages between them. */
export type InstantLoanStage =
  | 'OFFERS'
  | 'NO_OFFER'
  | 'TO_CHOOSE'
  | 'TO_PAY'
  | 'TO_PAY_AGAIN'
  | 'LAST_CHECK'
  | 'CLOSING'
  | 'UNDER_DECISION'
  | 'SANCTIONED'
  | 'REJECTED'
  | 'EXPIRED';

/** Money in paise, rates in percent; names no applicant. */
export type InstantLoanView = OfferlessView | OfferedLoanView;

export interface OfferedLoanView extends StandingView, PaidMoney {
  readonly stage: Exclude<InstantLoanStage, 'OFFERS' | 'NO_OFFER'>;
  readonly hasOffer: true;
  /** Whether the applicant ever went on to the payment. */
  readonly isOrdered: boolean;
  /** Whether nothing can have been paid: no order ever had a page. */
  readonly isUnpaid: boolean;
  readonly hasPage: boolean;
  readonly isAgreed: boolean;
  readonly lenderName: string;
  readonly lender: LenderIdentity;
  readonly creditReport?: CreditReportTerms;
  readonly grievanceOfficer: GrievanceOfficer;
  readonly ombudsman: Ombudsman;
  readonly contact: LenderContact;
  readonly instalment: Paise;
  readonly tenureMonths: number;
  readonly annualRatePercent: number;
  readonly apr: number;
  readonly fee: Paise;
  readonly isFeeKept: boolean;
  /** Null: not paid, or not in time. */
  readonly paidAt: Date | null;
  /** The gateway's reference of the payment that counted. */
  readonly paymentReference: string | null;
  /** The latest order. */
  readonly orderReference: string | null;
  /** When the operator is notified of a missing decision; null once notified. */
  readonly decisionDueAt: Date | null;
  readonly decisionSeconds: number;
  readonly finishedAt: Date | null;
  readonly charges: readonly { readonly name: string; readonly amount: Paise }[];
  /** The loan less the fee. */
  readonly netAmount: Paise;
  readonly totalPayable: Paise;
  readonly coolingOffDays: number;
  readonly contingentCharges: readonly ContingentCharge[];
  /** In the lender's own words. */
  readonly chargeTerms: ChargeTerms;
  readonly coLender?: { readonly name: string; readonly sharePercent: number };
  readonly comparison: LenderComparison;
  /** Lenders that may still make an offer after the comparison was opened. */
  readonly stillAsked: readonly AskedLender[];
  /** Whether the leading offer can be paid for; checked only while it is to be paid. */
  readonly canBeHad: boolean;
  readonly offerId: string;
  /** Whether the applicant's chosen offer is no longer available. */
  readonly isChoiceGone: boolean;
  /** Besides the leading offer, until it is paid for. */
  readonly others: readonly ComparedOffer[];
  /** In the requested order, the leading offer included, until it is paid for. */
  readonly compared: readonly ComparedOffer[];
  /** Null when nothing can be paid now. */
  readonly paymentPage: PaymentPage | null;
  /** Whether it ended before the time to pay, and before a payment was ordered. */
  readonly isEndedEarly: boolean;
  /** Until when the fee can be paid, or the payment begun if it has no page yet. */
  readonly payUntil: Date;
  /** Whether no payment can begin, though the application is not over. */
  readonly isTooLateToBegin: boolean;
  readonly expiresAt: Date;
  /** The latest end of an unpaid application, whichever offer is chosen. */
  readonly endsBy: Date;
  readonly keyFactsPath: string;
  readonly keyFactsHash: string;
}

type InstantLoanPaths = Pick<OfferedLoanView, 'payPath' | 'keyFactsPath' | 'returnUrl'>;

interface OfferedFacts {
  readonly terms: OfferTerms;
  readonly returned: readonly ReturnedMoney[];
  readonly hasPage: boolean;
  /** Whether the order takes no payment any more. */
  readonly isClosing: boolean;
  readonly decisionSeconds: number;
}

const NOT_COMPARED = {
  stillAsked: [],
  canBeHad: true,
  isChoiceGone: false,
  others: [],
  compared: [],
  paymentPage: null,
} as const;

export function viewOf(
  loan: ChosenInstantLoan,
  { part1, part2, aprComputation, lenderLegalName }: KeyFactsStatement,
  paths: InstantLoanPaths,
  { terms, returned, hasPage, isClosing, decisionSeconds }: OfferedFacts,
  now: Date,
): OfferedLoanView {
  const { payableToLender, payableToThirdParties } = part1.fees;
  const { recoveryAgentLsp, coolingOffDays } = part2.digitalLoan;
  return {
    stage: stageOf(loan, hasPage, now, isClosing),
    hasOffer: true,
    isOrdered: loan.paymentOrderId !== null,
    isUnpaid: isNeverOpened(loan, hasPage),
    hasPage,
    isAgreed: loan.agreedAt !== null,
    lenderName: lenderLegalName,
    lender: lenderIdentityOf({ ...terms, recoveryAgentLsp }),
    ...ownTermsOf(terms),
    grievanceOfficer: part2.grievanceOfficer,
    ombudsman: ombudsmanOf(terms),
    contact: terms.contact ?? part2.grievanceOfficer,
    loanAmount: loan.loanAmount,
    instalment: part1.instalments.amount,
    tenureMonths: part1.termMonths,
    annualRatePercent: part1.interest.annualRatePercent,
    apr: part1.annualPercentageRate,
    fee: loan.fee,
    isFeeKept: loan.feeOnDecline === 'KEPT',
    ...paidMoneyOf(loan, returned),
    ...paymentOf(loan),
    decisionSeconds,
    charges: namedAmounts([...payableToLender, ...payableToThirdParties]),
    netAmount: aprComputation.netDisbursed,
    totalPayable: aprComputation.totalPayable,
    coolingOffDays,
    contingentCharges: part1.contingentCharges,
    ...(part2.collaborativeLending && { coLender: part2.collaborativeLending.partnerLender }),
    comparison: loan.comparison,
    offerId: loan.offerId,
    ...NOT_COMPARED,
    ...endsOf(loan, hasPage, now),
    keyFactsHash: loan.keyFactsHash,
    ...paths,
  };
}

function namedAmounts(charges: OfferedLoanView['charges']): OfferedLoanView['charges'] {
  return charges.map(({ name, amount }) => ({ name, amount }));
}

function paymentOf(loan: InstantLoan) {
  const { paidAt, gatewayPaymentId, paymentOrderId, decisionDueAt, finishedAt } = loan;
  return {
    paidAt,
    paymentReference: gatewayPaymentId,
    orderReference: paymentOrderId,
    decisionDueAt,
    finishedAt,
  };
}

function endsOf(loan: InstantLoan, hasPage: boolean, now: Date) {
  return {
    isEndedEarly: isEndedEarly(loan),
    payUntil: payUntil(loan, hasPage),
    isTooLateToBegin: isPastPaying(loan, now, hasPage) && now < loan.expiresAt,
    expiresAt: loan.expiresAt,
    endsBy: lastEnd(loan),
  };
}

/** A new order after a failed one keeps the status: the earlier page may still be paid. */
function isNeverOpened({ status, paymentOrderId }: InstantLoan, hasPage: boolean): boolean {
  return paymentOrderId === null || (!hasPage && status === 'PAYMENT_PENDING');
}

function isEndedEarly({ status, paymentOrderId, finishedAt, expiresAt }: InstantLoan): boolean {
  if (status !== 'EXPIRED' || paymentOrderId !== null) return false;
  return finishedAt !== null && finishedAt < beginUntil(expiresAt);
}

export function isToPay(view: InstantLoanView): view is OfferedLoanView {
  return view.stage === 'TO_PAY' || view.stage === 'TO_PAY_AGAIN';
}

export function isToCompare(view: InstantLoanView): view is OfferedLoanView {
  return isToPay(view) && view.others.length > 0;
}

function stageOf(
  loan: InstantLoan,
  hasPage: boolean,
  now: Date,
  isClosing: boolean,
): OfferedLoanView['stage'] {
  if (isClosing && isAnotherWanted(loan) && isUnpaid(loan.status)) return 'CLOSING';
  if (isPastPaying(loan, now, hasPage)) return hasPage ? 'LAST_CHECK' : 'EXPIRED';
  switch (loan.status) {
    case 'PAYMENT_PENDING':
      return 'TO_PAY';
    case 'PAYMENT_FAILED':
      // The current try has no outcome yet.
      return loan.isRetrying ? 'TO_PAY' : 'TO_PAY_AGAIN';
    case 'PAYMENT_RECEIVED':
      return 'UNDER_DECISION';
    default:
      return loan.status;
  }
}
