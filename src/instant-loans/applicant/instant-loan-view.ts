import type { ComparedOffer, HostedLender } from '../../journeys/index.js';
import type { FeeCharge, Paise } from '../../loans/index.js';
import type { LenderIdentity } from '../../matching/index.js';
import type { PaymentPage, ReturnedMoney } from '../../payments/index.js';
import type { Language } from '../../platform/index.js';
import type {
  ContingentCharge,
  CreditReportTerms,
  GrievanceOfficer,
  LenderContact,
  Ombudsman,
} from '../../settings/index.js';

export interface MoneyBack {
  /** In the currency's smallest unit. */
  readonly amount: number;
  readonly currency: string;
  /** `STUCK`: the gateway failed or reversed the refund; the operator handles it. */
  readonly standing: 'ON_ITS_WAY' | 'SENT' | 'STUCK';
  readonly at: Date;
  /** The gateway's references; null until known. */
  readonly paymentReference: string;
  readonly refundReference: string | null;
}

interface PaidMoney {
  readonly feeBack: MoneyBack | null;
  /** Duplicate or late payments: refunded in full. */
  readonly othersBack: readonly MoneyBack[];
}

interface Paid {
  readonly orderId: string | null;
  readonly gatewayPaymentId: string | null;
}

export function paidMoneyOf(paid: Paid | null, returned: readonly ReturnedMoney[]): PaidMoney {
  const fee = returned.find(
    (one) => one.orderId === paid?.orderId && one.gatewayPaymentId === paid.gatewayPaymentId,
  );
  return {
    feeBack: fee ? moneyBack(fee) : null,
    othersBack: returned.filter((one) => one !== fee).map(moneyBack),
  };
}

const STANDINGS: Readonly<Record<ReturnedMoney['status'], MoneyBack['standing']>> = {
  REQUESTED: 'ON_ITS_WAY',
  PENDING: 'ON_ITS_WAY',
  DONE: 'SENT',
  FAILED: 'STUCK',
};

function moneyBack(money: ReturnedMoney): MoneyBack {
  const { amount, currency, status, statusAt: at, isRevoked } = money;
  return {
    amount,
    currency,
    standing: isRevoked ? 'STUCK' : STANDINGS[status],
    at,
    paymentReference: money.gatewayPaymentId,
    refundReference: money.gatewayRefundId,
  };
}

export type InstantLoanStage =
  | 'OFFERS'
  | 'NO_OFFER'
  | 'TO_CHOOSE'
  | 'TO_PAY'
  | 'TO_PAY_AGAIN'
  | 'LAST_CHECK'
  | 'UNDER_DECISION'
  | 'SANCTIONED'
  | 'REJECTED'
  | 'EXPIRED';

/** Money in paise, rates in percent; names no applicant. */
export type InstantLoanView = OfferlessView | OfferedLoanView;

export type ChargeTerms = Pick<
  ComparedOffer['terms'],
  'contingentCharges' | 'unpaidCharges' | 'texts'
>;

export interface ChoosableOffer extends ComparedOffer {
  /** Whether it can be chosen and paid for. */
  readonly canChoose: boolean;
}

export interface LoanView {
  readonly loanAmount: Paise;
  readonly payPath: string;
  /** Null when the partner has no return URL. */
  readonly returnUrl: string | null;
  /** In the order of their codes. */
  readonly lenders: readonly HostedLender[];
  /** Lenders that do not offer this amount. */
  readonly notLending: readonly string[];
}

export interface OfferlessView extends LoanView, Pick<PaidMoney, 'othersBack'> {
  readonly stage: 'OFFERS' | 'NO_OFFER' | 'EXPIRED';
  readonly hasOffer: false;
  /** Offers that can be compared before every lender has answered; null: too few. */
  readonly offersNow: number | null;
  /** False: no lender could be reached. */
  readonly isAnswered: boolean;
  /** Whether no payment was ever ordered. */
  readonly isUnpaid: boolean;
  /** Whether it ended because no offer was paid for in time. */
  readonly isTimeOver: boolean;
}

/** Of the chosen offer; before the choice, of the one with the lowest APR. */
export interface OfferedLoanView extends LoanView, PaidMoney {
  readonly stage: Exclude<InstantLoanStage, 'OFFERS' | 'NO_OFFER'>;
  readonly hasOffer: true;
  /** Whether the applicant ever continued to the payment. */
  readonly isOrdered: boolean;
  /** True when no order of the last choice had a page. */
  readonly isUnpaid: boolean;
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
  /** Null once it has passed. */
  readonly decisionDueAt: Date | null;
  readonly decisionSeconds: number;
  readonly finishedAt: Date | null;
  readonly charges: readonly FeeCharge[];
  /** All instalments. */
  readonly totalPayable: Paise;
  /** Interest and charges. */
  readonly cost: Paise;
  readonly coolingOffDays: number;
  /** Translated where the lender provides it. */
  readonly contingentCharges: readonly ContingentCharge[];
  /** In the lender's own words. */
  readonly chargeTerms: ChargeTerms;
  readonly coLender?: { readonly name: string; readonly sharePercent: number };
  /** Whether it can be paid for. */
  readonly canBeHad: boolean;
  readonly offerId: string;
  readonly isChoiceGone: boolean;
  /** Besides this offer, until it is paid for. */
  readonly others: readonly ChoosableOffer[];
  /** In the requested order, this offer included, until it is paid for. */
  readonly compared: readonly ChoosableOffer[];
  /** Whether lenders may still respond during the comparison. */
  readonly isStillAsking: boolean;
  /** Null when nothing can be paid now. */
  readonly paymentPage: PaymentPage | null;
  /** Whether it ended before the payment deadline and before a payment was ordered. */
  readonly isEndedEarly: boolean;
  /** Deadline for the fee, or for beginning the payment if it has no page yet. */
  readonly payUntil: Date;
  /** Whether no payment can begin, although the application continues. */
  readonly isTooLateToBegin: boolean;
  readonly expiresAt: Date;
  /** The latest end of an unpaid application, whichever offer is chosen. */
  readonly endsBy: Date;
  readonly keyFactsPath: string;
  readonly keyFactsHash: string;
}

export interface LoanFacts {
  readonly payPath: string;
  readonly notLending: readonly { readonly code: string; readonly name: string }[];
  /** In the requested order. */
  readonly compared: readonly ChoosableOffer[];
  /** Empty without an offer on the page. */
  readonly keyFactsHash: string;
  readonly returned: readonly ReturnedMoney[];
  /** Whether a payment was ordered for any choice. */
  readonly isEverOrdered: boolean;
  /** Whether the latest order has or had a page. */
  readonly hasPage: boolean;
  readonly paymentPage: PaymentPage | null;
  readonly decisionSeconds: number;
  readonly language: Language;
  readonly now: Date;
}

export function isToPay(view: Pick<InstantLoanView, 'stage'>): view is OfferedLoanView {
  return view.stage === 'TO_PAY' || view.stage === 'TO_PAY_AGAIN';
}

export function isToCompare(view: InstantLoanView): view is OfferedLoanView {
  return isToPay(view) && view.others.length > 0;
}
