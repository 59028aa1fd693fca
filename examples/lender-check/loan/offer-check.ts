import { Decimal } from 'decimal.js';
import type { Checks } from '../checks.ts';
import { annualPercentageRate, exactInstalment, inWholeRupees } from './loan-arithmetic.ts';
import { sumOfFees, workingDaysBetween } from './loan-arithmetic.ts';
import type { Fee, Offer } from './offer.ts';

const A_RUPEE = 100;
const POINTS = 0.01;
/** The error of comparing decimals as doubles. */
const NOISE = 1e-9;
const MIN_WORKING_DAYS = 3;

/** The RBI's loan-to-value ceilings for consumption loans against gold, by loan amount. */
const LTV_SLABS = [
  { ceiling: 25_000_000, percent: 85 },
  { ceiling: 50_000_000, percent: 80 },
  { ceiling: Number.POSITIVE_INFINITY, percent: 75 },
];

/** To a rupee; only equal instalments can be computed. */
export function checkInstalment(check: Checks, offer: Offer): void {
  const { kind, instalment, schedule } = offer.repayment;
  if (kind !== 'EMI' || schedule) {
    check.that(true, 'the instalment of an EMI', `${kind} has its schedule`);
    return;
  }
  const computed = inWholeRupees(exactInstalment(offer));
  const holds = Math.abs((instalment ?? 0) - computed) <= A_RUPEE;
  check.that(holds, `instalment ${computed} (to ${A_RUPEE} paise)`, `instalment ${instalment}`);
}

export function checkApr(check: Checks, offer: Offer, today: Date): void {
  const computed = annualPercentageRate(offer, today).toDecimalPlaces(2).toNumber();
  const holds = Math.abs(Number(offer.apr) - computed) <= POINTS + NOISE;
  check.that(holds, `apr ${computed.toFixed(2)} (to 0.01)`, `apr ${offer.apr}`);
}

export function checkNetPayout(check: Checks, offer: Offer): void {
  const computed = offer.principal - sumOfFees(offer.fees, 'AT_PAYOUT');
  check.equal('netPayout', offer.netPayout, computed);
}

export function checkValidity(check: Checks, { validUntil }: Offer, today: Date): void {
  const days = workingDaysBetween(today, new Date(validUntil));
  const expected = `validUntil at least ${MIN_WORKING_DAYS} working days ahead`;
  check.that(days >= MIN_WORKING_DAYS, expected, `${validUntil}: ${days} working days`);
}

export function checkRange(check: Checks, offer: Offer, asked: number): void {
  const { minimumAmount, principal, maximumAmount = principal } = offer;
  const isRange = minimumAmount <= principal && principal <= maximumAmount;
  const seen = `${minimumAmount} <= ${principal} <= ${maximumAmount}`;
  check.that(isRange, 'minimumAmount <= principal <= maximumAmount', seen);
  check.that(principal <= asked, `principal at most the ${asked} asked for`, `${principal}`);
}

export function checkFees(check: Checks, { fees, principal }: Offer): void {
  check.each(
    'tax within the amount, fees below the principal',
    fees,
    ({ name, amount, gst = 0 }) => {
      if (gst > amount) return `${name}: gst ${gst} of ${amount}`;
      return amount < principal ? null : `${name}: ${amount} of ${principal}`;
    },
  );
  check.each('percentOfPrincipal gives the amount', fees, (fee) => {
    const amounts = amountsByPercentage(fee, principal);
    if (amounts === null || amounts.includes(fee.amount)) return null;
    return `${fee.name}: ${fee.percentOfPrincipal}% is ${amounts[0]}, not ${fee.amount}`;
  });
  check.each('dueOn where due is LATER', fees, ({ name, due, dueOn }) =>
    due === 'LATER' && !dueOn ? name : null,
  );
}

/** The share with its tax: the share to the rupee or the paisa, or the sum to the rupee. */
function amountsByPercentage({ percentOfPrincipal, gst = 0 }: Fee, principal: number) {
  if (percentOfPrincipal === undefined) return null;
  const share = new Decimal(principal).times(percentOfPrincipal).dividedBy(100);
  const toPaisa = share.toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber();
  return [inWholeRupees(share) + gst, inWholeRupees(share.plus(gst)), toPaisa + gst];
}

/** A schedule must match the loan. */
export function checkSchedule(check: Checks, offer: Offer): void {
  const { schedule, kind } = offer.repayment;
  if (!schedule) {
    check.that(kind === 'EMI', 'a schedule, unless the loan is an EMI', kind);
    return;
  }
  check.each('amount = principal + interest', schedule, (entry) =>
    entry.amount === entry.principal + entry.interest ? null : JSON.stringify(entry),
  );
  const repaid = schedule.reduce((sum, { principal }) => sum + principal, 0);
  check.equal('the principal that is paid back', repaid, offer.principal);
  const days = schedule.map(({ dueOn }) => dueOn);
  check.equal('the order of the days', days, days.toSorted());
}

export function checkRate(check: Checks, { rate }: Offer): void {
  if (rate.kind === 'FIXED') {
    check.that(true, 'a floating rate is benchmark and spread', 'the rate is fixed');
    return;
  }
  const sum = Number(rate.benchmark?.percent) + Number(rate.spreadPercent);
  const holds = rate.kind === 'HYBRID' || Math.abs(sum - Number(rate.annualPercent)) < POINTS;
  check.that(holds, `annualPercent ${sum}`, `annualPercent ${rate.annualPercent}`);
}

export function checkGold(check: Checks, { goldValuation, principal }: Offer): void {
  if (!goldValuation) {
    check.that(false, 'a goldValuation', 'none');
    return;
  }
  const { value, netWeightGrams, pricePerGram, ltvPercent } = goldValuation;
  const worth = Number(netWeightGrams) * pricePerGram;
  check.that(Math.abs(value - worth) <= A_RUPEE, `value ${Math.floor(worth)}`, `value ${value}`);
  const ltv = (principal / value) * 100;
  const isLtv = Math.abs(Number(ltvPercent) - ltv) <= POINTS + NOISE;
  check.that(isLtv, `ltvPercent ${ltv.toFixed(2)} (to 0.01)`, `ltvPercent ${ltvPercent}`);
  const caps = LTV_SLABS.map(({ ceiling, percent }) => Math.min(ceiling, (value * percent) / 100));
  const cap = Math.max(...caps) + A_RUPEE;
  check.that(principal <= cap, `at most ${Math.floor(cap)} on this gold`, `${principal}`);
}
