import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { checkClaimedFigures } from '../../loans/index.js';
import { CALLBACKS } from '../protocol/callbacks.js';
import type { Offer } from '../protocol/offer.js';
import { QUESTIONS } from '../protocol/questions.js';
import { DocumentMessages } from './document-messages.js';
import { GOLD_OFFER, INSTANT_OFFER, PERSONAL_OFFER, QUOTED_OFFER } from './offer-examples.js';

type Shown = [what: string, schema: z.ZodType, value: unknown];

const messages = new DocumentMessages();

function rows(what: string, schema: z.ZodType | null): Shown[] {
  if (!schema) return [];
  const { examples } = messages.content(schema).content['application/json'];
  return Object.entries(examples).map(([name, { value }]) => [`${what} ${name}`, schema, value]);
}

const SHOWN: Shown[] = [
  ...Object.entries(QUESTIONS).flatMap(([name, { request, verdict }]) => [
    ...rows(`request ${name}`, request),
    ...rows(`verdict ${name}`, verdict),
  ]),
  ...Object.entries(CALLBACKS).flatMap(([name, { request }]) => rows(`callback ${name}`, request)),
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
