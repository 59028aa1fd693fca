import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { checkClaimedFigures } from '../../loans/index.js';
import { CALLBACKS, type CallbackName } from '../protocol/callbacks.js';
import type { Offer } from '../protocol/offer.js';
import { type PostedQuestionName, QUESTIONS, type QuestionName } from '../protocol/questions.js';
import { GOLD_OFFER, INSTANT_OFFER, PERSONAL_OFFER, QUOTED_OFFER } from './offer-examples.js';
import { REQUEST_EXAMPLES } from './request-examples.js';
import { CALLBACK_EXAMPLES, VERDICT_EXAMPLES } from './lender-examples.js';

type Shown = [what: string, schema: z.ZodType, value: unknown];

function rows(what: string, examples: object, schemaOf: (name: string) => z.ZodType): Shown[] {
  return Object.entries(examples).flatMap(([name, ofOne]) =>
    Object.entries(ofOne as object).map(([example, value]): Shown => [
      `${what} ${name} ${example}`,
      schemaOf(name),
      value,
    ]),
  );
}

const SHOWN: Shown[] = [
  ...rows('request', REQUEST_EXAMPLES, (name) => QUESTIONS[name as PostedQuestionName].request),
  ...rows('verdict', VERDICT_EXAMPLES, (name) => QUESTIONS[name as QuestionName].verdict),
  ...rows('callback', CALLBACK_EXAMPLES, (name) => CALLBACKS[name as CallbackName].request),
];

describe('an example of the document', () => {
  it.each(SHOWN)(
    'is as its schema says and holds nothing that this does not know: %s',
    (...row) => {
      const [, schema, value] = row;
      expect(schema.parse(value)).toEqual(value);
    },
  );
});

describe('the offers that the document shows', () => {
  const offers: [string, z.infer<typeof Offer>][] = [
    ['personal', PERSONAL_OFFER],
    ['quoted for another amount', QUOTED_OFFER],
    ['gold', GOLD_OFFER],
    ['instant', INSTANT_OFFER],
  ];

  it.each(offers)('hold when they are computed again: %s', (_, offer) => {
    const { repayment, rate, apr, netPayout, ...rest } = offer;
    const { disagreements } = checkClaimedFigures({
      ...rest,
      instalment: repayment.kind === 'EMI' ? repayment.instalment : 0,
      annualRatePercent: Number(rate.annualPercent),
      apr: Number(apr),
      netDisbursed: netPayout,
      fees: offer.fees.map(({ name, payee, amount }) => ({ name, payee, amount })),
      areChargesPaidUpFront: offer === INSTANT_OFFER,
    });
    expect(disagreements).toEqual([]);
  });
});
