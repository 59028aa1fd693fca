import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  checkClaimedFigures,
  formatRupees,
  type IndianDay,
  MIN_UP_FRONT_FEE,
  MIN_WORKING_DAYS,
  type Quote,
  workingDaysBetween,
} from '../loans/index.js';
import { Clock, onClock, SystemClock, type Tx } from '../platform/index.js';
import {
  type Lender,
  LenderCatalogue,
  ProductCatalogue,
  ServiceSettings,
  UNPAID_CAUSES,
  UNPAID_INTERVALS,
} from '../settings/index.js';
import type { LenderAnswer, LenderOffer } from './lender-port.js';
import { branchesOf, type OfferTerms, termsOf } from './offer-terms.js';
import type { RefusedOffer } from './question-payload.js';
import {
  type Objection,
  type OffersSubject,
  refusedOfferOf,
  RefusedOffers,
  VALID_LONG_ENOUGH,
} from './refused-offers.js';

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
  // A Key Facts Statement states at least one day.
  coolingOffDays: z.int().min(1).optional(),
  contingentCharges: z
    .array(z.object({ name: text, description: text, ifUnpaid: UnpaidCharge.optional() }))
    .nullish(),
});

/** Connectors pass on data from a network, so types and signs are checked. */
export function isWellFormed(offer: LenderOffer): boolean {
  return Offer.safeParse(offer).success;
}

interface ExaminedSubject extends OffersSubject {
  readonly needsBranch: boolean;
  readonly areChargesPaidUpFront: boolean;
}

export type OfferedAnswer = Pick<Extract<LenderAnswer, { kind: 'OFFERED' }>, 'offers' | 'refused'>;

export interface SoundOffer {
  readonly lender: Lender;
  /** The lender's offer; `validUntil` follows the service's clock. */
  readonly offer: LenderOffer;
  /** Recomputed: `netDisbursed` excludes every charge, also those paid up front. */
  readonly quote: Quote;
  readonly terms: OfferTerms;
}

/** Refuses an offer that disagrees or expires too soon; notifies the operator and the lender. */
@Injectable()
export class OfferExamination {
  constructor(
    private readonly lenders: LenderCatalogue,
    private readonly products: ProductCatalogue,
    private readonly refusals: RefusedOffers,
    private readonly settings: ServiceSettings,
    private readonly clock: Clock,
    private readonly machine: SystemClock,
  ) {}

  /** @returns the accepted offers, in the lender's order */
  async take(
    tx: Tx,
    subject: ExaminedSubject,
    lenderCode: string,
    { offers, refused = [] }: OfferedAnswer,
  ): Promise<SoundOffer[]> {
    const lender = await this.lenders.find(lenderCode);
    if (!lender) throw new Error(`an offer from the unknown lender ${lenderCode}`);
    const product = await this.products.find(subject.productCode);
    const bankHolidays = new Set((await this.settings.operating()).bankHolidays);
    const sound: SoundOffer[] = [];
    const toReport = [...refused];
    const facts: (Objection | RefusedOffer)[] = [...refused];
    for (const offer of offers) {
      const examined = this.examine(subject, lender, offer, bankHolidays);
      if ('reason' in examined) {
        facts.push(examined);
        toReport.push(refusedOfferOf(offer, examined));
      } else {
        const terms = termsOf(lender, subject.productCode, offer, product);
        const feeOnDecline = lender.terms.feeOnDecline ?? 'REFUND';
        sound.push({
          lender,
          offer: this.onClockHere(lender, offer),
          quote: examined,
          terms: subject.areChargesPaidUpFront ? { ...terms, feeOnDecline } : terms,
        });
      }
    }
    await this.refusals.flag(tx, subject, lenderCode, facts);
    await this.refusals.notifyLender(tx, subject, lenderCode, toReport);
    return sound;
  }

  private examine(
    subject: ExaminedSubject,
    lender: Lender,
    offer: LenderOffer,
    bankHolidays: ReadonlySet<IndianDay>,
  ): Quote | Objection {
    if (!isWellFormed(offer)) return { reason: 'MALFORMED' };
    const { productCode } = subject;
    if (!lender.terms.products[productCode]) return { reason: 'PRODUCT_NOT_SERVED' };
    const hasNoBranch = branchesOf(lender, productCode, offer).length === 0;
    if (hasNoBranch && subject.needsBranch) return { reason: 'NO_BRANCH' };
    // A sandbox lender's gold is valued here; an outside lender must state its valuation.
    const isAgainstGold = lender.terms.products[productCode].gold !== undefined;
    if (isAgainstGold && lender.remote && !offer.goldValuation) return { reason: 'NO_VALUATION' };
    const { areChargesPaidUpFront } = subject;
    if ((offer.areChargesPaidUpFront ?? areChargesPaidUpFront) !== areChargesPaidUpFront) {
      const stated = dueOf(!areChargesPaidUpFront);
      return { reason: 'CHARGES_DUE', stated, computed: dueOf(areChargesPaidUpFront) };
    }
    const range = outOfRange(subject, offer);
    if (range) return { reason: 'AMOUNT_OUT_OF_RANGE', ...range };
    const validUntil = new Date(offer.validUntil);
    // An outside lender does not follow the sandbox's time travel, so the machine's time decides.
    const now = (lender.remote ? this.machine : this.clock).now();
    const workingDays = workingDaysBetween(now, validUntil, bankHolidays);
    if (!(workingDays >= MIN_WORKING_DAYS)) {
      return {
        reason: 'VALIDITY_TOO_SHORT',
        stated: offer.validUntil,
        computed: VALID_LONG_ENOUGH,
      };
    }
    return computed(offer, areChargesPaidUpFront);
  }

  private onClockHere({ remote }: Lender, offer: LenderOffer): LenderOffer {
    return remote ? { ...offer, validUntil: onClock(this.clock, offer.validUntil) } : offer;
  }
}

function dueOf(areChargesPaidUpFront: boolean): string {
  return areChargesPaidUpFront ? 'BEFORE_PAYOUT' : 'AT_PAYOUT';
}

/** An instant loan's offer must be for exactly the requested amount. */
function outOfRange(
  { subjectKind, loanAmount }: OffersSubject,
  { principal, minimumAmount }: LenderOffer,
): Pick<Objection, 'stated' | 'computed'> | null {
  const asked = formatRupees(loanAmount);
  const lent = formatRupees(principal);
  if (principal > loanAmount) return { stated: `principal ${lent}`, computed: `at most ${asked}` };
  if (minimumAmount > principal) {
    const stated = `minimumAmount ${formatRupees(minimumAmount)}`;
    return { stated, computed: `at most ${lent}` };
  }
  if (subjectKind !== 'INSTANT_LOAN' || principal === loanAmount) return null;
  return { stated: `principal ${lent}`, computed: asked };
}

/** @param areChargesPaidUpFront by a payment, for which the gateway's minimum is one rupee */
function computed(offer: LenderOffer, areChargesPaidUpFront: boolean): Quote | Objection {
  try {
    const { quote, disagreements } = checkClaimedFigures({ ...offer, areChargesPaidUpFront });
    if (areChargesPaidUpFront && quote.processingFees < MIN_UP_FRONT_FEE) {
      return {
        reason: 'FEE_TOO_SMALL',
        stated: formatRupees(quote.processingFees),
        computed: `at least ${formatRupees(MIN_UP_FRONT_FEE)}`,
      };
    }
    return disagreements.length > 0 ? { reason: 'FIGURES_DISAGREE', disagreements } : quote;
  } catch (error) {
    if (error instanceof RangeError) return { reason: 'IMPOSSIBLE_TERMS' };
    throw error;
  }
}
