import { z } from 'zod';
import { REDIRECT_STEPS } from '../../journey-steps/index.js';
import { Offer } from './offer.js';
import {
  address,
  amount,
  amountOrZero,
  applicationReference,
  day,
  hash,
  ifsc,
  integer,
  lastFour,
  loanReference,
  moment,
  named,
  pattern,
  percent,
  reference,
  transferReference,
} from './primitives.js';
import {
  accountReason,
  declineReason,
  detail,
  eligibilityReason,
  exitReason,
  goneReason,
  loanStatus,
  payoutReason,
  step,
  stepReason,
} from './words.js';

function verdict<const Name extends string, Fields extends z.ZodRawShape>(
  name: Name,
  fields: Fields,
) {
  return z.object({
    answerId: reference(
      'The lender’s id of this verdict, the same in every answer and callback. It stays in the ' +
        'audit trail permanently: put no name, PAN or mobile number in it.',
      'nv-ans-1',
    ),
    verdict: z.literal(name),
    ...fields,
  });
}

const gone = verdict('GONE', { reason: goneReason, detail });
const declined = verdict('DECLINED', { reason: declineReason, detail });
const stepFailure = { reason: stepReason, detail };

export const OffersVerdict = z
  .discriminatedUnion('verdict', [
    verdict('OFFERED', { offers: z.array(Offer).min(1).max(10) }),
    declined,
  ])
  .describe('Offers, or a decline.');

const isRange = ({ min, max }: { min: number | string; max: number | string }) =>
  Number(min) <= Number(max);
const paise = amount('In paise.');
const rate = percent('A year, on the reducing balance.').refine((given) => Number(given) <= 100);
const months = integer(1, 600, 'In months.');

const ranges = {
  amount: z
    .object({ min: paise, max: paise })
    .refine(isRange)
    .describe('The amounts that are likely.')
    .optional(),
  annualRatePercent: z
    .object({ min: rate, max: rate })
    .refine(isRange)
    .describe('The rates that are likely.')
    .optional(),
  tenureMonths: z
    .object({ min: months, max: months })
    .refine(isRange)
    .describe('The tenures that are likely.')
    .optional(),
};

export const EligibilitiesVerdict = z
  .discriminatedUnion('verdict', [
    verdict('LIKELY', ranges),
    verdict('UNLIKELY', {
      reasons: z
        .array(eligibilityReason)
        .min(1)
        .max(10)
        .describe('Each condition that is not met.'),
      ...ranges,
    }),
    verdict('UNKNOWN', {}),
  ])
  .describe('Whether an offer is likely. It does not bind the lender.');

export const QuotesVerdict = z
  .discriminatedUnion('verdict', [verdict('QUOTED', { offer: Offer }), gone])
  .describe('The offer for that amount, or that it is no longer valid.');

export const SelectionsVerdict = z
  .discriminatedUnion('verdict', [
    verdict('ACCEPTED', {
      applicationReference: applicationReference(
        'The lender’s reference of the application, used from now on.',
      ),
      keyFactsSignature: pattern(
        /^[A-Za-z0-9_-]{1,2000}\.[A-Za-z0-9_-]{1,200}\.[A-Za-z0-9_-]{1,1000}$/,
        'If the lender signs the Key Facts Statement: a compact JWS whose payload is the statement’s ' +
          'hash, the 64 characters of `keyFactsHash`, under one of the lender’s keys.',
      ).optional(),
    }),
    gone,
  ])
  .describe('Whether the lender accepts the choice.');

export const SessionsVerdict = z
  .discriminatedUnion('verdict', [
    verdict('OPENED', {
      url: address('The page for the applicant’s browser.'),
      expiresAt: moment('When the session expires.'),
      covers: z
        .array(step)
        .min(1)
        .max(REDIRECT_STEPS.length)
        .refine((steps) => new Set(steps).size === steps.length, 'must name each step once')
        .meta({
          description: 'The steps that this visit can pass, including the requested step.',
          uniqueItems: true,
        }),
    }),
    verdict('REFUSED', stepFailure),
  ])
  .describe('The session. `REFUSED`: there is no loan.');

export const Evidence = z
  .discriminatedUnion('step', [
    z.object({
      step: z.literal('KYC'),
      kycReference: reference(
        'The provider’s or the lender’s reference of the KYC record.',
        'CKYC-30045512',
      ),
    }),
    z.object({
      step: z.literal('MANDATE'),
      mandateReference: pattern(
        /^[A-Za-z0-9][A-Za-z0-9@._-]{5,69}$/,
        'The UMRN of an eNACH mandate, or the UMN of a UPI one.',
        'HDFC7021411260012345',
      ),
    }),
    z.object({
      step: z.literal('ESIGN'),
      documentHash: hash('SHA-256 of the signed document’s bytes.'),
    }),
  ])
  .describe('Evidence that the step was passed; its `step` is the requested step.');

export const StepsVerdict = z
  .discriminatedUnion('verdict', [
    verdict('PASSED', { passedAt: moment('When the step was passed.'), evidence: Evidence }),
    verdict('FAILED', stepFailure),
    verdict('REFUSED', stepFailure),
  ])
  .describe(
    '`FAILED`: this attempt failed; the applicant may try again. `REFUSED`: there is no loan.',
  );

const accountFailure = { reason: accountReason, detail };

export const AccountsVerdict = z
  .discriminatedUnion('verdict', [
    verdict('ACCEPTED', {}),
    verdict('REFUSED', accountFailure),
    verdict('REFUSED_FOR_GOOD', accountFailure),
  ])
  .describe('`REFUSED`: another account may be accepted. `REFUSED_FOR_GOOD`: there is no loan.');

export const DisbursementsVerdict = z
  .discriminatedUnion('verdict', [
    verdict('PAID', {
      amount: amount('The amount paid out.', 19_508_000),
      utr: transferReference,
      paidAt: moment('When the money was sent.'),
      loanReference: loanReference(),
      accountLastFour: lastFour('The last four digits of the receiving account.'),
    }),
    verdict('REFUSED', { reason: payoutReason, detail }),
  ])
  .describe('Whether the loan was paid out.');

export const DecisionsVerdict = z
  .discriminatedUnion('verdict', [
    verdict('SANCTIONED', { loanReference: loanReference() }),
    declined,
  ])
  .describe('Whether the instant loan is sanctioned.');

export const WithdrawalsVerdict = verdict('NOTED', {}).describe('The lender has noted it.');

export const PayTo = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('URL'), url: address('A payment page.') }),
    z.object({
      kind: z.literal('ACCOUNT'),
      holderName: named('The lender’s name at its bank.'),
      number: pattern(/^[A-Za-z0-9]{6,34}$/, 'The account’s number.', '50200012345678'),
      ifsc,
      paymentReference: reference('The reference that the borrower gives with the payment.'),
    }),
    z.object({
      kind: z.literal('UPI'),
      vpa: pattern(
        /^[A-Za-z0-9._-]{2,256}@[A-Za-z0-9.-]{2,64}$/,
        'The lender’s UPI address.',
        'loans@navdhara',
      ),
      paymentReference: reference('The reference that the borrower gives with the payment.'),
    }),
  ])
  .describe('How the borrower pays.');

export const CoolingOffExitsVerdict = z
  .discriminatedUnion('verdict', [
    verdict('OPENED', {
      amount: amount('The amount to pay: the principal and the interest up to that day.'),
      payUntil: moment('The amount is valid until then.'),
      payTo: PayTo,
    }),
    verdict('EXITED', { exitedAt: moment('When the loan ended.') }),
    verdict('REFUSED', { reason: exitReason, detail }),
  ])
  .describe(
    '`OPENED`: report the payment later with `POST /loan-events` as `EXITED`. `EXITED`: nothing ' +
      'is left to pay.',
  );

export const LoansVerdict = z
  .discriminatedUnion('verdict', [
    verdict('FOUND', {
      loanReference: loanReference('The requested loan.'),
      status: loanStatus,
      asOf: moment('The time of this status.'),
      outstandingPrincipal: amountOrZero('The outstanding principal, without interest.').optional(),
      nextDue: z
        .object({ on: day('The due day.'), amount: amount('The amount due.') })
        .optional()
        .describe('The next payment.'),
    }),
    verdict('NOT_FOUND', {}),
  ])
  .describe('The status of the loan. `NOT_FOUND`: the lender does not know the loan.');
