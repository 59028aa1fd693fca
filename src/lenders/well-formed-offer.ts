import { z } from 'zod';
import { UNPAID_CAUSES, UNPAID_INTERVALS } from '../settings/index.js';
import type { LenderOffer } from './lender-port.js';

const text = z.string().max(1_000).regex(/\S/);
const amount = z.int().positive();
const figure = z.number().nonnegative();
const percent = figure.max(100).optional();

const UnpaidCharge = z
  .object({
    percentOfInstalment: percent,
    flat: amount.optional(),
    gstPercent: percent,
    every: z.enum(UNPAID_INTERVALS),
    cause: z.enum(UNPAID_CAUSES).optional(),
  })
  .refine(({ flat, percentOfInstalment = 0 }) => flat !== undefined || percentOfInstalment > 0);

const Offer = z.object({
  reference: text,
  principal: amount,
  minimumAmount: amount,
  instalment: amount,
  netDisbursed: amount,
  annualRatePercent: figure,
  apr: figure,
  tenureMonths: z.int(),
  validUntil: text,
  fees: z.array(
    z.object({
      name: text,
      payee: z.enum(['LENDER', 'THIRD_PARTY']),
      amount: z.int().nonnegative(),
    }),
  ),
  collateralExplanation: text.nullable(),
  texts: z.record(z.string(), z.record(z.string(), text)).nullish(),
  // A Key Facts Statement names at least one day.
  coolingOffDays: z.int().min(1).optional(),
  contingentCharges: z
    .array(z.object({ name: text, description: text, ifUnpaid: UnpaidCharge.optional() }))
    .nullish(),
});

/** Whether an offer has valid types and signs: connectors pass on data from a network. */
export function isWellFormed(offer: LenderOffer): boolean {
  return Offer.safeParse(offer).success;
}
