import { z } from 'zod';
import {
  address,
  amount,
  applicationId,
  applicationReference,
  closedWords,
  dayOfBirth,
  decimal,
  email,
  hash,
  ifsc,
  integer,
  language,
  lastFour,
  loanReference,
  MAX_SUM,
  moment,
  offerReference,
  openWords,
  pattern,
  questionId,
  reference,
  text,
} from './primitives.js';
import { offerProblem, step, withdrawalReason } from './words.js';

export const Subject = z
  .object({
    kind: openWords(['JOURNEY', 'INSTANT_LOAN', 'OTHER'], 'The kind of the subject.'),
    id: reference('Rinpath’s id of the subject.', 'jrn_019aab3c5d7e7f0192a3b4c5d6e7f801'),
  })
  .describe('The journey or instant loan of the question.');

const opening = {
  questionId: questionId('The question’s id, equal to `Idempotency-Key`; here it is signed.'),
  subject: Subject,
  applicationId,
  productCode: pattern(
    /^[A-Z][A-Z0-9_]{0,63}$/,
    'The product’s code in the configuration.',
    'ONLINE_PERSONAL',
  ),
};

const usefulUntil = moment('A later answer is stored, but has no effect.');

function question<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object({ ...opening, usefulUntil: usefulUntil.optional(), ...fields });
}

/** As wide as the partner API. */
const income = (description: string, example?: number) => amount(description, example, MAX_SUM);

export const Applicant = z
  .object({
    mobile: pattern(/^[6-9]\d{9}$/, 'Ten digits without a country code.', '9876543210'),
    pan: pattern(/^[A-Z]{5}[0-9]{4}[A-Z]$/, 'Permanent Account Number.', 'ABCDE1234F'),
    fullName: text('As on the PAN.').optional(),
    firstName: text('If the name was given in parts.').optional(),
    lastName: text('If the name was given in parts.').optional(),
    dob: dayOfBirth('Date of birth.').optional(),
    gender: openWords(['MALE', 'FEMALE', 'OTHER'], 'As the applicant stated.').optional(),
    employmentType: openWords(
      ['SALARIED', 'SELF_EMPLOYED', 'OTHER'],
      'As the applicant stated.',
    ).optional(),
    monthlyIncome: income('Income a month, in paise.').optional(),
    annualIncome: income('Income a year, in paise.').optional(),
    companyName: text('Employer or own business.').optional(),
    udyamNumber: text('Udyam registration, for businesses.', 40).optional(),
    pinCode: pattern(/^\d{6}$/, 'Of the address.').optional(),
    city: text('Of the address.').optional(),
    state: text('Of the address.').optional(),
    addressL1: text('First line of the address.').optional(),
    addressL2: text('Second line of the address.').optional(),
    personalEmail: email('Personal.').optional(),
    officialEmail: email('At work.').optional(),
    endUse: text('The purpose of the loan.').optional(),
  })
  .describe('The applicant, as known before KYC. Personal data.');

export const Consent = z
  .object({
    givenBy: openWords(
      ['HOSTED', 'PARTNER', 'OTHER'],
      '`HOSTED`: the applicant, on Rinpath’s page. `PARTNER`: the partner attests it.',
    ),
    basis: openWords(
      ['TEXT', 'TERMS_ACCEPTED', 'AGREEMENT', 'OTHER'],
      'The basis of a partner’s attestation. `TEXT`: the partner displayed Rinpath’s text. `TERMS_ACCEPTED`: it states ' +
        'that the applicant accepted the terms. `AGREEMENT`: its agreement with Rinpath requires it to have ' +
        'the consent.',
    ).optional(),
    givenAt: moment('When the applicant consented.'),
    textVersion: reference(
      'The version of Rinpath’s text that the applicant agreed to. Left out if the partner attests the consent ' +
        'without naming a text.',
    ).optional(),
    language: language('The language of that text: `en`, `hi`.').optional(),
    mayCall: z
      .boolean()
      .describe(
        'Whether the applicant, after choosing this lender, may be phoned about the loan. This choice is ' +
          'voluntary. Left out if they were not asked.',
      )
      .optional(),
  })
  .describe('The applicant’s consent to share their data with this lender.');

export const Acknowledgement = z
  .object({
    keyFactsHash: hash('Hash of the Key Facts Statement displayed.'),
    acknowledgedAt: moment('When the applicant acknowledged it.'),
    language: language('The language of the display.'),
  })
  .describe('The applicant has read the Key Facts Statement on Rinpath’s page.');

export const Gold = z
  .object({
    grams: decimal('The weight stated by the applicant.'),
    items: z
      .array(text('One piece.', 200, 'necklace'))
      .min(1)
      .max(50)
      .describe('Descriptions of the pieces.'),
  })
  .describe('The gold, as described by the applicant.');

export const BankAccount = z
  .object({
    holderName: text('Exactly as the bank has it.', 200, 'Asha Verma'),
    type: closedWords(['SAVINGS', 'CURRENT'], 'The kind of account.'),
    number: pattern(/^\d{9,18}$/, 'As text, to keep leading zeros.', '001234567890'),
    ifsc,
  })
  .describe('The account for the payout. Personal data.');

export const FeePaid = z
  .object({
    amount: amount('The amount paid.'),
    gatewayPaymentId: reference('The payment gateway’s id of the payment.').optional(),
    paidAt: moment('When the applicant paid.'),
  })
  .describe('The fee that the applicant paid up front.');

export const RefusedOffer = z
  .object({
    offerReference: offerReference('The lender’s id of the offer.'),
    problem: offerProblem,
    stated: text('The value in the offer.').optional(),
    computed: text('The value that Rinpath computed.').optional(),
  })
  .describe('An offer that was not displayed, and why.');

const loanAmount = amount('The requested amount.');

/** Identifies no applicant. */
export const EligibilitiesRequest = z
  .object({
    questionId: opening.questionId,
    productCode: opening.productCode,
    loanAmount,
    pinCode: pattern(/^\d{6}$/, 'Of the address.', '560001'),
    employmentType: openWords(['SALARIED', 'SELF_EMPLOYED', 'OTHER'], 'As the partner states.'),
    monthlyIncome: income('Income a month, in paise.', 6_000_000),
  })
  .describe('Asks whether an offer is likely. It does not identify the applicant.');

const chosen = {
  offerReference: offerReference('The chosen offer, by the lender’s id.'),
  applicationReference: applicationReference(
    'The lender’s reference of the application, after `POST /selections` returned it.',
  ).optional(),
};
const attempt = {
  step,
  stepReference: reference('Rinpath’s id of this attempt.', 'rdr_019aab3c5d7e7f0192a3b4c5d6e7f810'),
  attempt: integer(1, 100, 'Counts the attempts of this step from 1.'),
};
const keyFactsHash = hash('SHA-256 of the chosen Key Facts Statement.');

export const OffersRequest = z
  .object({
    ...opening,
    usefulUntil,
    loanAmount,
    applicant: Applicant,
    consent: Consent,
    gold: Gold.optional(),
  })
  .describe('Asks for offers.');

export const QuotesRequest = question({
  offerReference: offerReference('The offer, by the lender’s id.'),
  loanAmount: amount('The other amount.'),
}).describe('Asks for the offer with another amount.');

export const SelectionsRequest = question({
  offerReference: chosen.offerReference,
  loanAmount: amount('The chosen amount.'),
  keyFactsHash,
  branchReference: reference('For gold: the chosen branch, if already chosen.').optional(),
  acknowledgement: Acknowledgement.optional(),
}).describe('Reports the choice of an offer.');

export const SessionsRequest = question({
  ...chosen,
  ...attempt,
  returnUrl: address(
    'Where the applicant’s browser goes when done, by GET. URLs of this service also accept a form POST.',
  ),
  branchReference: reference('For gold: the chosen branch.').optional(),
  acknowledgement: Acknowledgement,
}).describe('Asks for a page on which the applicant does a step.');

export const StepsRequest = question({ ...chosen, ...attempt }).describe(
  'Asks for the status of a step.',
);

export const AccountsRequest = question({ ...chosen, account: BankAccount }).describe(
  'Asks whether the loan can be paid to this account.',
);

export const DisbursementsRequest = question({
  ...chosen,
  loanAmount: amount('The principal.'),
  netPayout: amount('The amount that the borrower receives.', 19_508_000),
  keyFactsHash,
  accountLastFour: lastFour('Of the account last accepted by the lender.').optional(),
  feePaid: FeePaid.optional(),
}).describe('Requests the payout, or its status.');

export const DecisionsRequest = question({
  loanAmount,
  applicant: Applicant,
  consent: Consent,
  offerReference: offerReference(
    'The offer that the applicant paid for. Left out if no offer was requested before the payment.',
  ).optional(),
  keyFactsHash: keyFactsHash.optional(),
  acknowledgement: Acknowledgement.optional(),
  feePaid: FeePaid.optional(),
}).describe('Asks whether an instant loan is sanctioned.');

export const WithdrawalsRequest = question({
  reason: withdrawalReason,
  offerReference: chosen.offerReference.optional(),
  applicationReference: chosen.applicationReference,
  refusedOffers: z
    .array(RefusedOffer)
    .min(1)
    .max(20)
    .optional()
    .describe('If `reason` is `OFFER_REFUSED`: the offers, and why.'),
}).describe(
  'Reports that the application or offer has ended; with `OFFER_REFUSED`, only the named offers: the others ' +
    'stay valid and can be chosen.',
);

export const CoolingOffExitsRequest = question({
  loanReference: loanReference(),
  applicationReference: chosen.applicationReference,
  requestedAt: moment('When the borrower asked; this time decides whether the period is over.'),
}).describe('Reports that the borrower exits the loan within the cooling-off period.');
