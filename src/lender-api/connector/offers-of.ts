import { Decimal } from 'decimal.js';
import type { z } from 'zod';
import { formatRupees, goldLoanCap } from '../../loans/index.js';
import {
  type GoldValuation,
  known,
  type LenderOffer,
  type OfferedCharge,
  type RefusedOffer,
} from '../../lenders/index.js';
import { translate } from '../../platform/index.js';
import { ownTextOf } from '../../settings/index.js';
import type { Offer } from '../protocol/offer.js';

type ProtocolOffer = z.infer<typeof Offer>;
type ProtocolValuation = NonNullable<ProtocolOffer['goldValuation']>;
type ProtocolCharge = NonNullable<ProtocolOffer['contingentCharges']>[number];

/** In points: percentages have two decimals. */
const PERCENT_TOLERANCE = 0.01;
const PURE_KARAT = 24;

export function offerOf(stated: ProtocolOffer): LenderOffer | RefusedOffer {
  const { reference, principal, minimumAmount, tenureMonths, netPayout, validUntil } = stated;
  const { repayment, maximumAmount, contingentCharges, coolingOffDays, branches, coLender } =
    stated;
  if (repayment.kind !== 'EMI') {
    const { kind } = repayment;
    return { offerReference: reference, problem: 'REPAYMENT_KIND', stated: kind, computed: 'EMI' };
  }
  const objection = OBJECTIONS.map((object) => object(stated)).find((one) => one !== null);
  if (objection) return { offerReference: reference, ...objection };
  return known({
    reference,
    principal,
    minimumAmount,
    annualRatePercent: Number(stated.rate.annualPercent),
    tenureMonths,
    instalment: repayment.instalment,
    apr: Number(stated.apr),
    netDisbursed: netPayout,
    fees: stated.fees.map(({ name, payee, amount, gst, percentOfPrincipal }) =>
      known({ name, payee, amount, gst, percentOfPrincipal: numberOf(percentOfPrincipal) }),
    ),
    areChargesPaidUpFront: stated.fees[0] && stated.fees[0].due === 'BEFORE_PAYOUT',
    validUntil,
    ...explanationOf(stated),
    maximumAmount,
    contingentCharges: contingentCharges?.map(chargeOf),
    coolingOffDays,
    branches,
    coLender: coLender && {
      name: coLender.name,
      sharePercent: Number(coLender.sharePercent),
    },
    goldValuation: stated.goldValuation && valuationOf(stated.goldValuation),
  });
}

function chargeOf({ name, description, ifUnpaid }: ProtocolCharge): OfferedCharge {
  if (!ifUnpaid) return { name, description };
  const { percentOfInstalment, flat, gstPercent, every, cause } = ifUnpaid;
  return {
    name,
    description,
    ifUnpaid: known({
      percentOfInstalment: numberOf(percentOfInstalment),
      flat,
      gstPercent: numberOf(gstPercent),
      every,
      cause,
    }),
  };
}

function valuationOf({ explanation: _words, ...valuation }: ProtocolValuation): GoldValuation {
  return valuation;
}

function numberOf(decimal: string | undefined): number | undefined {
  return decimal === undefined ? undefined : Number(decimal);
}

export function isRefused(offer: LenderOffer | RefusedOffer): offer is RefusedOffer {
  return 'problem' in offer;
}

type Objection = Omit<RefusedOffer, 'offerReference'> | null;

const ONE_DUE_TIME = 'AT_PAYOUT for all fees, or BEFORE_PAYOUT for all';

const OBJECTIONS: readonly ((offer: ProtocolOffer) => Objection)[] = [
  ({ repayment: { schedule } }) =>
    schedule === undefined
      ? null
      : { problem: 'SCHEDULE', stated: 'payments that are not equal and a month apart' },
  ({ rate: { kind } }) =>
    kind === 'FIXED' ? null : { problem: 'RATE_KIND', stated: kind, computed: 'FIXED' },
  // A Key Facts Statement has one due time for all charges.
  ({ fees }) => {
    const dues = new Set(fees.map(({ due }) => due));
    if (dues.size <= 1 && !dues.has('LATER')) return null;
    return { problem: 'FEES', stated: [...dues].join(', '), computed: ONE_DUE_TIME };
  },
  ({ fees }) => {
    const fee = fees.find(({ amount, gst = 0 }) => gst > amount);
    if (!fee) return null;
    const [stated, computed] = [fee.gst!, fee.amount].map(formatRupees);
    return { problem: 'FEES', stated: `gst ${stated}`, computed: `at most ${computed}` };
  },
  ({ coolingOffDays }) =>
    coolingOffDays === 0
      ? { problem: 'OTHER', stated: 'coolingOffDays 0', computed: 'at least 1' }
      : null,
  ({ coLender }) => {
    const share = Number(coLender?.sharePercent ?? 50);
    if (share > 0 && share < 100) return null;
    return { problem: 'OTHER', stated: `coLender.sharePercent ${share}`, computed: '0 to 100' };
  },
  loanToValueObjection,
];

function loanToValueObjection({ principal, goldValuation }: ProtocolOffer): Objection {
  if (!goldValuation) return null;
  const { value, netWeightGrams, pricePerGram, ltvPercent, purityKarat } = goldValuation;
  if (Number(purityKarat) > PURE_KARAT) {
    return { problem: 'LTV', stated: `${purityKarat} karat`, computed: `at most ${PURE_KARAT}` };
  }
  const worth = new Decimal(netWeightGrams).times(pricePerGram);
  if (worth.minus(value).abs().greaterThan(100)) {
    return known({ problem: 'LTV', stated: formatRupees(value), computed: rupeesOf(worth) });
  }
  const ratio = new Decimal(principal).times(100).dividedBy(value);
  if (ratio.minus(ltvPercent).abs().greaterThan(PERCENT_TOLERANCE)) {
    return { problem: 'LTV', stated: `${ltvPercent}%`, computed: `${ratio.toFixed(2)}%` };
  }
  const { cap } = goldLoanCap({ grams: '1', pricePerGram: value });
  return principal <= cap
    ? null
    : { problem: 'LTV', stated: formatRupees(principal), computed: `at most ${formatRupees(cap)}` };
}

/** Valid for any smaller amount too. */
function explanationOf({
  principal,
  goldValuation,
}: ProtocolOffer): Pick<LenderOffer, 'collateralExplanation' | 'texts'> {
  if (!goldValuation) return { collateralExplanation: null };
  const { explanation, ltvPercent } = goldValuation;
  const values = {
    grams: goldValuation.netWeightGrams,
    karat: goldValuation.purityKarat,
    price: formatRupees(goldValuation.pricePerGram),
    value: formatRupees(goldValuation.value),
    principal: formatRupees(principal),
    percent: `${ltvPercent}%`,
  };
  const { text, texts } = ownTextOf((language) => {
    const figures = translate(language, 'steps.gold.figures', values);
    return explanation === undefined ? figures : `${explanation} ${figures}`;
  });
  return { collateralExplanation: text, texts };
}

/** Undefined above the largest amount that can be written. */
function rupeesOf(amount: Decimal): string | undefined {
  const paise = amount.toDecimalPlaces(0, Decimal.ROUND_DOWN).toNumber();
  return Number.isSafeInteger(paise) ? formatRupees(paise) : undefined;
}
