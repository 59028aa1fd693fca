import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { CONSENT_VERSION } from '../../consents/index.js';
import { REDIRECT_STEPS } from '../../journey-steps/index.js';
import { PartnerCall } from '../../platform/index.js';
import { ACTION_PAYLOADS } from '../use-cases/action-body.dto.js';
import { InitiateBodyA, InitiateBodyB } from './initiate-body.dto.js';
import { StartedJourney } from './initiate-journey.service.js';
import { JourneyView } from './journey-view.js';
import { NextActionAnswer } from './next-action-view.js';

/** Values that work in the sandbox. */

const APPLICANT = {
  fullName: 'Asha Verma',
  pan: 'ABCDE1234F',
  dob: '1990-04-15',
  gender: 'FEMALE',
  employmentType: 'salaried',
  monthlyIncome: 60_000,
  pinCode: '560001',
  city: 'Bengaluru',
  state: 'Karnataka',
};

const HEADLESS_LOAN = {
  channel: 'API_HEADLESS',
  productCode: 'ONLINE_PERSONAL',
  mobile: '9876543210',
  loanAmount: 200_000,
  customer: APPLICANT,
};

const INITIATE_EXAMPLES = {
  headlessPersonalLoan: {
    summary: 'Variant A: a headless personal loan',
    value: HEADLESS_LOAN,
  },
  headlessGoldLoan: {
    summary: 'Variant A: a headless loan against gold',
    value: {
      ...HEADLESS_LOAN,
      productCode: 'ONLINE_GOLD',
      goldLoanDetails: { jewellaryList: ['necklace', 'two bangles'], grams: '42.5' },
    },
  },
  withConsent: {
    summary: 'Variant A: the applicant agreed to our consent text in your app',
    value: {
      ...HEADLESS_LOAN,
      consent: {
        textVersion: CONSENT_VERSION,
        language: 'en',
        givenAt: '2026-01-31T15:30:00+05:30',
        lenderCodes: ['navdhara', 'kaverisetu', 'tarangudyam'],
      },
    },
  },
  hostedLoan: {
    summary: 'Variant B: a hosted loan, with the key’s product and amount',
    value: {
      channel: 'API_HOSTED',
      mobile: '9876543210',
      customer: {
        pan: 'ABCDE1234F',
        dob: '1990-04-15',
        pinCode: '560001',
        termsAccepted: true,
        firstName: 'Asha',
        lastName: 'Verma',
        personalEmail: 'asha.verma@example.com',
        annualIncome: 720_000,
      },
    },
  },
};

const ACTION_EXAMPLES = {
  selectOffer: {
    summary: 'Select an offer',
    value: {
      kind: 'SELECT_OFFER',
      payload: { offerId: 'off_01a1fcf153ae76b2be3e2ab68ffc4d07', loanAmount: 150_000 },
    },
  },
  selectBranch: {
    summary: 'Select the branch for the gold',
    value: {
      kind: 'SELECT_GOLD_LOAN_BRANCH',
      payload: {
        offerId: 'off_01a1fcf153ae76b2be3e2ab68ffc4d07',
        branchLocationId: 'brn_01a1fcf153ad7174853dd701385fe9c0',
      },
    },
  },
  submitBankAccount: {
    summary: 'Submit the account for the payout',
    value: {
      kind: 'SUBMIT_BANK_ACCOUNT',
      payload: {
        accHolderName: 'Asha Verma',
        acctype: 'SAVINGS',
        accNo: '123456789012',
        ifscCode: 'HDFC0001234',
      },
    },
  },
};

export const InitiateCall = applyDecorators(
  PartnerCall({
    operationId: 'initiateJourney',
    summary: 'Start a hosted or headless journey',
    description:
      'Starts a loan journey. With `API_HOSTED` the response has `hostedUrl`, the single-use ' +
      'link for the applicant; with `API_HEADLESS` it has `journeySession`, which authorizes ' +
      'later calls. The body has two variants: A has `channel`, ' +
      '`productCode` and a customer with `fullName`; B requires only `mobile` and ' +
      '`customer`, with the key’s defaults for the rest.',
    answer: StartedJourney,
    body: {
      schema: {
        anyOf: [{ $ref: getSchemaPath(InitiateBodyA) }, { $ref: getSchemaPath(InitiateBodyB) }],
      },
      examples: INITIATE_EXAMPLES,
    },
    failures: ['product_not_assigned', 'product_unavailable'],
    isIdempotent: true,
  }),
  ApiExtraModels(InitiateBodyA, InitiateBodyB),
);

export const ReadJourneyCall = PartnerCall({
  operationId: 'readJourney',
  summary: 'Read the state of a journey',
  description:
    'Returns the journey with its next action, offers and outcome. A headless journey ' +
    'requires its session; a hosted one does not.',
  answer: JourneyView,
  session: 'required',
});

export const ActionCall = applyDecorators(
  PartnerCall({
    operationId: 'submitJourneyAction',
    summary: 'Submit an action of the applicant',
    description:
      'Submits the action that the journey’s next action names. Only one action runs at a ' +
      'time: a concurrent action, or an action of another step, gets 409. Then read the ' +
      'journey again. Only for headless journeys.',
    answer: NextActionAnswer,
    body: {
      schema: {
        oneOf: Object.entries(ACTION_PAYLOADS).map(([kind, { shape }]) => ({
          type: 'object',
          title: kind,
          required: ['kind', 'payload'],
          properties: {
            kind: { type: 'string', enum: [kind] },
            payload: { $ref: getSchemaPath(shape) },
          },
        })),
      },
      examples: ACTION_EXAMPLES,
    },
    failures: [
      'wrong_step',
      'action_in_flight',
      'hosted_journey',
      'offer_expired',
      'lender_unavailable',
    ],
    session: 'required',
  }),
  ApiExtraModels(...Object.values(ACTION_PAYLOADS).map(({ shape }) => shape)),
);

export const ReturnedCall = PartnerCall({
  operationId: 'signalRedirectReturned',
  summary: 'Report that the applicant is back from a redirect',
  description:
    'This is a signal, not proof: the service asks the provider whether the step is done. The first ' +
    'return from a current or completed step gets 200. Call it when the applicant ' +
    'reaches your `returnUrl`, whose query has `journeyId` and `step`. If the applicant left the provider’s page ' +
    'too early, the response has the same redirect again. The journey ' +
    'session is optional here; a wrong session is refused.',
  answer: NextActionAnswer,
  body: {
    schema: {
      type: 'object',
      required: ['step'],
      properties: {
        step: {
          type: 'string',
          enum: [...REDIRECT_STEPS],
          description: 'The step from which the applicant returned.',
        },
      },
    },
    examples: {
      kyc: { summary: 'Back from KYC', value: { step: 'KYC' } },
      mandate: { summary: 'Back from the mandate', value: { step: 'MANDATE' } },
      esign: { summary: 'Back from the signature', value: { step: 'ESIGN' } },
    },
  },
  failures: ['wrong_step', 'return_already_seen'],
  session: 'optional',
});
