import { z } from 'zod';
import { formatDateTime, formatPercent, formatRupees } from '../../platform/index.js';
import type { InstantLoanStatus } from '../domain/instant-loan-status.js';
import type { OfferStanding } from '../domain/offer-standing.js';
import type { InstantLoanTrigger } from '../domain/transition-table.js';
import type { InstantLoanNote } from './instant-loan-audit.js';
import { auditSource, toldJson } from '../../audit/index.js';
import { InstantLoanAuditRow } from './instant-loan-audit.entity.js';

const InstantLoanDetail = z
  .object({
    lenders: z.array(z.string()),
    lenderCode: z.string(),
    insteadOfLender: z.string(),
    standing: z.string(),
    offerId: z.string(),
    /** Percent. */
    apr: z.number(),
    /** In paise, as all amounts. */
    fee: z.int(),
    feeOnDecline: z.enum(['REFUND', 'KEPT']),
    validUntil: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    metric: z.string(),
    keyFactsHash: z.string(),
    language: z.string(),
    orderId: z.string(),
    insteadOf: z.string(),
    amount: z.int(),
    gatewayPaymentId: z.string(),
    counted: z.string().nullable(),
    refundId: z.string().nullable(),
  })
  .partial();

type Detail = z.infer<typeof InstantLoanDetail>;

type Told = InstantLoanTrigger | InstantLoanNote;

const WHAT: Readonly<Record<Told, (detail: Detail) => string>> = {
  APPLIED: ({ lenders }) =>
    sentence('The application for an instant loan came in', [
      lenders && `these lenders are to be asked for binding offers: ${lenders.join(', ')}`,
    ]),
  LENDER_ANSWERED: answered,
  LENDER_MISSED: ({ lenderCode, standing }) =>
    standing === 'UNREACHABLE'
      ? `The lender ${nameOf(lenderCode)} could not be reached, and its offer was waited for no longer`
      : `The lender ${nameOf(lenderCode)} had not answered, and its offer was waited for no longer`,
  OFFER_TOO_LATE: ({ lenderCode }) =>
    `An offer of the lender ${nameOf(lenderCode)} came when none of it could be taken any more`,
  OFFER_CHOSEN: putFirst,
  OFFERS_OPENED: (detail) =>
    `The applicant opened the offers before every lender had answered. ${putFirst(detail)}`,
  LEADING_OFFER_CHOSEN: ({ lenderCode, language, ...offer }) =>
    sentence(
      `The applicant chose the binding offer of the lender ${nameOf(lenderCode)}, which led the others`,
      [...termsOf(offer), language && `language ${language}`],
    ),
  OTHER_OFFER_CHOSEN: ({ lenderCode, insteadOfLender, language, ...offer }) =>
    sentence(
      `The applicant chose the binding offer of the lender ${nameOf(lenderCode)} in place of that of the lender ${nameOf(insteadOfLender)}`,
      [...termsOf(offer), language && `language ${language}`],
    ),
  OTHER_OFFER_WANTED: ({ lenderCode }) =>
    `The applicant wants the binding offer of the lender ${nameOf(lenderCode)}, and the payment page of the chosen one is to be closed first`,
  NEXT_OFFER: ({ lenderCode, insteadOfLender, ...offer }) =>
    sentence(
      `The offer of the lender ${nameOf(insteadOfLender)} could be paid for no longer, and that of the lender ${nameOf(lenderCode)} took its place`,
      termsOf(offer),
    ),
  OFFER_LET_GO: () => 'The chosen offer was let go, and its failed payment with it',
  KEY_FACTS_AGREED: ({ keyFactsHash, language }) =>
    sentence('The applicant agreed to the Key Facts Statement', [
      keyFactsHash && `SHA-256 ${keyFactsHash}`,
      language && `language ${language}`,
    ]),
  ORDERED: ({ lenderCode, ...paid }) =>
    sentence('The payment of the fee was ordered', [
      lenderCode && `for the lender ${lenderCode}`,
      ...paymentOf(paid),
    ]),
  ORDERED_AGAIN: ({ orderId, insteadOf }) =>
    sentence('The payment of the fee was ordered again', [
      orderId && `order ${orderId}`,
      insteadOf && `in place of ${insteadOf}`,
    ]),
  PAID: (paid) => sentence('The fee was paid', paymentOf(paid)),
  TRY_FAILED: (tried) => sentence('A try to pay the fee failed', paymentOf(tried)),
  TIME_RAN_OUT: () => 'The time to pay ran out',
  WITHDRAWN: () => 'The application was withdrawn, as the applicant’s data is erased',
  LENDER_GONE: () => 'The lender is switched off, or has no account for its fee any more',
  PAID_TOO_LATE: (paid) =>
    sentence('Money came when nothing was to be paid any more, and is to go back', goingBack(paid)),
  PAID_AGAIN: ({ counted, ...paid }) =>
    sentence('The fee was paid once more, and that is to go back', [
      ...goingBack(paid),
      counted && `the payment that counts is ${counted}`,
    ]),
  LENDERS_DECLINED: () => 'No offer of the lenders that answered could be taken',
  LENDERS_SILENT: () => 'No lender answered in time',
  SANCTIONED: () => 'The lender sanctioned the loan',
  DECLINED: () => 'The lender declined after the payment',
  FEE_GOES_BACK: (paid) =>
    sentence('It was decided that the fee goes back to the applicant', goingBack(paid)),
  FEE_KEPT: (paid) => sentence('The lender keeps the fee, as its terms say', paymentOf(paid)),
  REFUND_TOLD: ({ refundId, amount }) =>
    sentence('A text message was written that tells the applicant of the refund', [
      amount !== undefined && formatRupees(amount),
      refundId && `refund ${refundId}`,
    ]),
  LENDER_SILENT: ({ lenderCode }) =>
    `The lender ${nameOf(lenderCode)} had not decided in time, and that was put before the operator`,
  APPLICANT_ERASED: () => 'The applicant’s personal data was erased',
};

const NOW: Readonly<Record<InstantLoanStatus, string>> = {
  PAYMENT_PENDING: 'not paid for yet',
  PAYMENT_FAILED: 'not paid for, as a try to pay failed',
  PAYMENT_RECEIVED: 'paid for, and the chosen lender is to decide',
  SANCTIONED: 'sanctioned',
  REJECTED: 'rejected',
  EXPIRED: 'over without a payment',
};

/** A sentence without its full stop. */
function whatHappened(trigger: string, detail: Detail): string {
  const tell = Object.hasOwn(WHAT, trigger) ? WHAT[trigger as Told] : undefined;
  return tell ? tell(detail) : `What is called ${trigger} happened`;
}

function standingAfter(status: string): string {
  return Object.hasOwn(NOW, status) ? NOW[status as InstantLoanStatus] : status;
}

function answered({ lenderCode, standing, ...offer }: Detail): string {
  const lender = `The lender ${nameOf(lenderCode)}`;
  switch (standing as OfferStanding | undefined) {
    case 'OFFERED':
      return sentence(`${lender} made a binding offer`, [
        ...figuresOf(offer),
        offer.validUntil && `valid until ${formatDateTime('en', offer.validUntil)}`,
      ]);
    case 'DECLINED':
      return `${lender} declined to make an offer`;
    case 'OFFER_REFUSED':
      return `${lender} made an offer that was refused, as its figures or terms do not hold`;
    default:
      return `${lender} answered what it offers`;
  }
}

function putFirst({ lenderCode, metric, ...offer }: Detail): string {
  const best = metric === undefined ? 'the best' : `the best by the published metric ${metric}`;
  const what = `The binding offer of the lender ${nameOf(lenderCode)} was put first, ${best}`;
  return sentence(what, termsOf(offer));
}

type Fact = string | false | null | undefined;

function termsOf({ feeOnDecline, expiresAt, keyFactsHash, ...offer }: Detail): Fact[] {
  const onDecline = { REFUND: 'goes back', KEPT: 'is kept' };
  return [
    ...figuresOf(offer),
    feeOnDecline && `which ${onDecline[feeOnDecline]} if the lender declines after the payment`,
    expiresAt && `to be paid until ${formatDateTime('en', expiresAt)}`,
    keyFactsHash && `Key Facts Statement SHA-256 ${keyFactsHash}`,
  ];
}

function figuresOf({ offerId, apr, fee }: Detail): Fact[] {
  return [
    offerId && `offer ${offerId}`,
    apr !== undefined && `APR ${formatPercent(apr)}`,
    fee !== undefined && `fee ${formatRupees(fee)}`,
  ];
}

function paymentOf({ amount, gatewayPaymentId, orderId }: Detail): Fact[] {
  return [
    amount !== undefined && formatRupees(amount),
    gatewayPaymentId && `payment ${gatewayPaymentId}`,
    orderId && `order ${orderId}`,
  ];
}

function goingBack({ refundId, ...paid }: Detail): Fact[] {
  return [...paymentOf(paid), refundId && `refund ${refundId}`];
}

function sentence(what: string, facts: readonly Fact[]): string {
  const said = facts.filter((fact) => Boolean(fact));
  return said.length > 0 ? `${what}: ${said.join(', ')}` : what;
}

function nameOf(lenderCode: string | undefined): string {
  return lenderCode ?? '(not noted)';
}

export const INSTANT_LOAN_AUDIT_SOURCE = auditSource(InstantLoanAuditRow, {
  subject: 'applicationId',
  at: 'createdAt',
  isErasure: ({ trigger }) => trigger === 'APPLICANT_ERASED',
  tell: ({ trigger = '', from_status: from, to_status: to = '', detail }) => {
    const what = whatHappened(trigger, toldJson(InstantLoanDetail, detail));
    const isNote = from === undefined || from === to;
    return isNote ? `${what}.` : `${what}; the application is now ${standingAfter(to)}.`;
  },
});
