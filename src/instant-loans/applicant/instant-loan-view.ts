import type { KeyFactsStatement } from '../../key-facts/index.js';
import type { OfferTerms } from '../../lenders/index.js';
import type { Paise } from '../../loans/index.js';
import { type LenderIdentity, lenderIdentityOf } from '../../matching/index.js';
import type { PaymentPage, ReturnedMoney } from '../../payments/index.js';
import { type ChosenInstantLoan, isAnotherWanted } from '../domain/chosen-loan.js';
import type { LenderComparison } from '../domain/instant-loan.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
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

/**
 * The applicant's stage: the statuses, and what lies between them (offers awaited, a choice to make, a last check of a
 * payment, a payment page being closed for another offer).
 */
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

/** What the applicant's pages show; money in paise, rates in percent. It names no applicant. */
export type InstantLoanView = OfferlessView | OfferedLoanView;

/** Of the offer that leads, from the lenders' answers on. */
export interface OfferedLoanView extends StandingView, PaidMoney {
  readonly stage: Exclude<InstantLoanStage, 'OFFERS' | 'NO_OFFER'>;
  readonly hasOffer: true;
  /** Whether the applicant has ever gone on to the payment. */
  readonly isOrdered: boolean;
  /** Whether nothing can have been paid: no order has ever had a page. */
  readonly isUnpaid: boolean;
  /** Whether the gateway has a page for the payment. */
  readonly hasPage: boolean;
  /** Whether the applicant has said that they have read the statement: it is asked once. */
  readonly isAgreed: boolean;
  readonly lenderName: string;
  readonly lender: LenderIdentity;
  /** How the lender asks for the credit report, where the configuration said so. */
  readonly creditReport?: CreditReportTerms;
  readonly grievanceOfficer: GrievanceOfficer;
  /** Where a borrower can complain after the lender. */
  readonly ombudsman: Ombudsman;
  /** Where the lender is asked about the loan. */
  readonly contact: LenderContact;
  readonly instalment: Paise;
  readonly tenureMonths: number;
  readonly annualRatePercent: number;
  readonly apr: number;
  /** What is paid now, and what it consists of. */
  readonly fee: Paise;
  /** Whether the lender keeps the fee when it declines. */
  readonly isFeeKept: boolean;
  /** When it was paid; null: not, or not in time. */
  readonly paidAt: Date | null;
  /** What the gateway has the payment that counted by. */
  readonly paymentReference: string | null;
  /** What the gateway has the order by that was made last. */
  readonly orderReference: string | null;
  /** When a person is told should the lender have said nothing; null, while it decides: one was told. */
  readonly decisionDueAt: Date | null;
  /** How long after the payment a person is told that the lender has said nothing, as it is set now. */
  readonly decisionSeconds: number;
  /** When the application was over; null: it is not. */
  readonly finishedAt: Date | null;
  readonly charges: readonly { readonly name: string; readonly amount: Paise }[];
  /** The loan less the fee: what the applicant has in the end, and the statement's net amount. */
  readonly netAmount: Paise;
  readonly totalPayable: Paise;
  readonly coolingOffDays: number;
  readonly contingentCharges: readonly ContingentCharge[];
  /** The same in the lender's own words. */
  readonly chargeTerms: ChargeTerms;
  /** Who lends beside the lender, with its share. */
  readonly coLender?: { readonly name: string; readonly sharePercent: number };
  readonly comparison: LenderComparison;
  /** The lenders that may still make an offer, of offers that were opened before all had answered. */
  readonly stillAsked: readonly AskedLender[];
  /** Whether the offer that leads can be paid for; asked only as long as it is to be paid. */
  readonly canBeHad: boolean;
  /** Of the offer that leads. */
  readonly offerId: string;
  /** Whether the applicant has chosen the offer that leads, and it can no longer be had. */
  readonly isChoiceGone: boolean;
  /** Beside the offer that leads, until it is paid for. */
  readonly others: readonly ComparedOffer[];
  /** All of them in the order that is asked for, the one that leads among them, until it is paid for. */
  readonly compared: readonly ComparedOffer[];
  /** Where the fee is paid, while it is to be paid; null: nothing can be paid at present. */
  readonly paymentPage: PaymentPage | null;
  /** Whether it ended before the time to pay was over, and before a payment was ordered. */
  readonly isEndedEarly: boolean;
  /** Until when the fee can be paid, or the payment begun where it has no page yet. */
  readonly payUntil: Date;
  /** Whether no payment can be begun any more, though the application is not over yet. */
  readonly isTooLateToBegin: boolean;
  /** When the application ends unpaid with this offer. */
  readonly expiresAt: Date;
  /** When it ends unpaid at the latest, whichever offer is chosen. */
  readonly endsBy: Date;
  readonly keyFactsPath: string;
  /** The fingerprint of the statement that is there. */
  readonly keyFactsHash: string;
}

/** Where an application's pages are, and where they lead. */
export type InstantLoanPaths = Pick<OfferedLoanView, 'payPath' | 'keyFactsPath' | 'returnUrl'>;

/** What stands beside the application's own row. */
export interface OfferedFacts {
  /** The terms of the chosen offer. */
  readonly terms: OfferTerms;
  /** All of its money that goes back, or has gone back. */
  readonly returned: readonly ReturnedMoney[];
  /** Whether the gateway has a page for what is ordered. */
  readonly hasPage: boolean;
  /** Whether what is ordered takes no payment any more. */
  readonly isClosing: boolean;
  /** How long a lender may take to decide before a person is told. */
  readonly decisionSeconds: number;
}

/** Until the offers are compared. */
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

/** A fresh order after a failed one leaves the status as it was: the earlier page may still be paid. */
function isNeverOpened({ status, paymentOrderId }: InstantLoan, hasPage: boolean): boolean {
  return paymentOrderId === null || (!hasPage && status === 'PAYMENT_PENDING');
}

function isEndedEarly({ status, paymentOrderId, finishedAt, expiresAt }: InstantLoan): boolean {
  if (status !== 'EXPIRED' || paymentOrderId !== null) return false;
  return finishedAt !== null && finishedAt < beginUntil(expiresAt);
}

/** Whether the page with the fee and the payment is the one to show. */
export function isToPay(view: InstantLoanView): view is OfferedLoanView {
  return view.stage === 'TO_PAY' || view.stage === 'TO_PAY_AGAIN';
}

/** Whether the offer that is to be paid for stands beside others. */
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
      // Of the try that the applicant is back from now nothing is known yet.
      return loan.isRetrying ? 'TO_PAY' : 'TO_PAY_AGAIN';
    case 'PAYMENT_RECEIVED':
      return 'UNDER_DECISION';
    default:
      return loan.status;
  }
}
