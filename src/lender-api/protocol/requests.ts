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
    kind: openWords(['JOURNEY', 'INSTANT_LOAN', 'OTHER'], 'What the question belongs to.'),
    id: reference('Rinpath’s id of it.', 'jrn_019aab3c5d7e7f0192a3b4c5d6e7f801'),
  })
  .meta({ description: 'The journey or the instant loan that the question belongs to.' });

const opening = {
  questionId: questionId('The question’s id, the same as `Idempotency-Key`: it is signed here.'),
  subject: Subject,
  applicationId: applicationId(),
  productCode: pattern(
    /^[A-Z][A-Z0-9_]{0,63}$/,
    'The product, as the configuration names it.',
    'ONLINE_PERSONAL',
  ),
};

const usefulUntil = () => moment('An answer that comes later is kept, but moves nothing.');

function question<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object({ ...opening, usefulUntil: usefulUntil().optional(), ...fields });
}

export const Applicant = z
  .object({
    mobile: pattern(/^[6-9]\d{9}$/, 'Ten digits without a country code.', '9876543210'),
    pan: pattern(/^[A-Z]{5}[0-9]{4}[A-Z]$/, 'Permanent Account Number.', 'ABCDE1234F'),
    fullName: text('As on the PAN.').optional(),
    firstName: text('When the name came in parts.').optional(),
    lastName: text('When the name came in parts.').optional(),
    dob: dayOfBirth('Date of birth.').optional(),
    gender: openWords(['MALE', 'FEMALE', 'OTHER'], 'As the applicant said.').optional(),
    employmentType: openWords(
      ['SALARIED', 'SELF_EMPLOYED', 'OTHER'],
      'As the applicant said.',
    ).optional(),
    monthlyIncome: amount('A month, in paise.').optional(),
    annualIncome: amount('A year, in paise.').optional(),
    companyName: text('Employer or own business.').optional(),
    udyamNumber: text('Udyam registration, for businesses.', 40).optional(),
    pinCode: pattern(/^\d{6}$/, 'Of the address.').optional(),
    city: text('Of the address.').optional(),
    state: text('Of the address.').optional(),
    addressL1: text('First line of the address.').optional(),
    addressL2: text('Second line of the address.').optional(),
    personalEmail: email('Personal.').optional(),
    officialEmail: email('At work.').optional(),
    endUse: text('What the money is for.').optional(),
  })
  .meta({ description: 'Who asks for the loan, as far as is known before KYC. Personal data.' });

export const Consent = z
  .object({
    givenBy: openWords(
      ['HOSTED', 'PARTNER', 'OTHER'],
      '`HOSTED`: the applicant, on Rinpath’s page. `PARTNER`: the partner’s word for the applicant’s.',
    ),
    basis: openWords(
      ['TEXT', 'TERMS_ACCEPTED', 'AGREEMENT', 'OTHER'],
      'What stands behind a partner’s word. `TEXT`: the partner showed Rinpath’s text. `TERMS_ACCEPTED`: it says ' +
        'that the applicant accepted the terms. `AGREEMENT`: its agreement with Rinpath obliges it to have ' +
        'the consent.',
    ).optional(),
    givenAt: moment('When.'),
    textVersion: reference(
      'The version of Rinpath’s text that the applicant agreed to. Left out: the partner attests the consent ' +
        'without naming a text.',
    ).optional(),
    language: language('The language of that text: `en`, `hi`.').optional(),
    mayCall: z
      .boolean()
      .meta({
        description:
          'Whether the applicant, once they have chosen this lender, may be phoned about the loan: a choice ' +
          'of their own, and no condition. Left out: they were not asked.',
      })
      .optional(),
  })
  .meta({ description: 'The applicant’s consent to share their data with this lender.' });

export const Acknowledgement = z
  .object({
    keyFactsHash: hash('Of the Key Facts Statement that was shown.'),
    acknowledgedAt: moment('When.'),
    language: language('The language that it was shown in.'),
  })
  .meta({ description: 'The applicant has read the Key Facts Statement on Rinpath’s page.' });

export const Gold = z
  .object({
    grams: decimal('The weight that the applicant states.'),
    items: z
      .array(text('One piece.', 200, 'necklace'))
      .min(1)
      .max(50)
      .meta({ description: 'What it is.' }),
  })
  .meta({ description: 'The gold, as the applicant describes it.' });

export const BankAccount = z
  .object({
    holderName: text('As the bank has it.', 200, 'Asha Verma'),
    type: closedWords(['SAVINGS', 'CURRENT'], 'The kind of account.'),
    number: pattern(/^\d{9,18}$/, 'As text: zeros lead.', '001234567890'),
    ifsc: ifsc(),
  })
  .meta({ description: 'Where the loan is to be paid to. Personal data.' });

export const FeePaid = z
  .object({
    amount: amount('What was paid.'),
    gatewayPaymentId: reference('The payment gateway’s id of the payment.').optional(),
    paidAt: moment('When.'),
  })
  .meta({ description: 'The fee that the applicant has paid up front.' });

export const RefusedOffer = z
  .object({
    offerReference: offerReference('The lender’s own.'),
    problem: offerProblem(),
    stated: text('What the offer says.').optional(),
    computed: text('What Rinpath computes.').optional(),
  })
  .meta({ description: 'An offer that was not shown, and why.' });

const loanAmount = () => amount('What the applicant asks for.');
const chosen = {
  offerReference: offerReference('The offer that was chosen, by the lender’s own reference.'),
  applicationReference: applicationReference(
    'The lender’s reference of the application, once `POST /selections` has named it.',
  ).optional(),
};
const attempt = {
  step: step(),
  stepReference: reference(
    'Rinpath’s id of this attempt at the step.',
    'rdr_019aab3c5d7e7f0192a3b4c5d6e7f810',
  ),
  attempt: integer(1, 100, 'Counts the attempts at this step from 1.'),
};
const keyFactsHash = () => hash('SHA-256 of the Key Facts Statement that was chosen.');

export const OffersRequest = z
  .object({
    ...opening,
    usefulUntil: usefulUntil(),
    loanAmount: loanAmount(),
    applicant: Applicant,
    consent: Consent,
    gold: Gold.optional(),
  })
  .meta({ description: 'Asks for offers.' });

export const QuotesRequest = question({
  offerReference: offerReference('The offer, by the lender’s own reference.'),
  loanAmount: amount('The other amount.'),
}).meta({ description: 'Asks what an offer comes to for another amount.' });

export const SelectionsRequest = question({
  offerReference: chosen.offerReference,
  loanAmount: amount('The chosen amount.'),
  keyFactsHash: keyFactsHash(),
  branchReference: reference('For gold: the chosen branch, where it is chosen already.').optional(),
  acknowledgement: Acknowledgement.optional(),
}).meta({ description: 'Says that an offer was chosen.' });

export const SessionsRequest = question({
  ...chosen,
  ...attempt,
  returnUrl: address(
    'Where the applicant’s browser goes when done, by GET. Addresses of this service take a form POST, too.',
  ),
  branchReference: reference('For gold: the chosen branch.').optional(),
  acknowledgement: Acknowledgement,
}).meta({ description: 'Asks for a page on which the applicant can do a step.' });

export const StepsRequest = question({ ...chosen, ...attempt }).meta({
  description: 'Asks how a step stands.',
});

export const AccountsRequest = question({ ...chosen, account: BankAccount }).meta({
  description: 'Asks whether the loan can be paid to this account.',
});

export const DisbursementsRequest = question({
  ...chosen,
  loanAmount: amount('The principal.'),
  netPayout: amount('What the borrower is to receive.', 19_508_000),
  keyFactsHash: keyFactsHash(),
  accountLastFour: lastFour('Of the account that the lender accepted last.').optional(),
  feePaid: FeePaid.optional(),
}).meta({ description: 'Asks to pay out, and how the payout stands.' });

export const DecisionsRequest = question({
  loanAmount: loanAmount(),
  applicant: Applicant,
  consent: Consent,
  offerReference: offerReference(
    'The offer that the applicant paid for. Left out: none was asked for before the payment.',
  ).optional(),
  keyFactsHash: keyFactsHash().optional(),
  acknowledgement: Acknowledgement.optional(),
  feePaid: FeePaid.optional(),
}).meta({ description: 'Asks whether an instant loan is sanctioned.' });

export const WithdrawalsRequest = question({
  reason: withdrawalReason(),
  offerReference: chosen.offerReference.optional(),
  applicationReference: chosen.applicationReference,
  refusedOffers: z
    .array(RefusedOffer)
    .min(1)
    .max(20)
    .optional()
    .meta({ description: 'When `reason` is `OFFER_REFUSED`: which offers, and why.' }),
}).meta({
  description:
    'Says that nothing more comes of it; with `OFFER_REFUSED`, of the named offers alone: the others ' +
    'of the application stand and can be chosen.',
});

export const CoolingOffExitsRequest = question({
  loanReference: loanReference(),
  applicationReference: chosen.applicationReference,
  requestedAt: moment('When the borrower asked; this moment decides whether the period is over.'),
}).meta({ description: 'Says that the borrower leaves the loan within the cooling-off period.' });
