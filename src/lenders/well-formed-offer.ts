import { UNPAID_CAUSES, UNPAID_INTERVALS } from '../settings/index.js';
import type { LenderOffer } from './lender-port.js';
import type { OfferedCharge } from './offered-charge.js';

/**
 * Whether what a lender sent as an offer has the types and the signs of one. A connector passes on
 * what came over a network, which TypeScript has not checked.
 */
export function isWellFormed(offer: LenderOffer): boolean {
  return (
    isText(offer.reference) &&
    isAmount(offer.principal) &&
    isAmount(offer.minimumAmount) &&
    isAmount(offer.instalment) &&
    isAmount(offer.netDisbursed) &&
    isNumber(offer.annualRatePercent) &&
    isNumber(offer.apr) &&
    Number.isSafeInteger(offer.tenureMonths) &&
    isText(offer.validUntil) &&
    Array.isArray(offer.fees) &&
    offer.fees.every(isFee) &&
    (offer.collateralExplanation === null || isText(offer.collateralExplanation)) &&
    Object.values(offer.texts ?? {}).every((known) => Object.values(known).every(isText)) &&
    isDays(offer.coolingOffDays) &&
    (offer.contingentCharges ?? []).every(isCharge)
  );
}

function isFee(fee: LenderOffer['fees'][number] | null): boolean {
  return (
    typeof fee === 'object' &&
    fee !== null &&
    isText(fee.name) &&
    (fee.payee === 'LENDER' || fee.payee === 'THIRD_PARTY') &&
    Number.isSafeInteger(fee.amount) &&
    fee.amount >= 0
  );
}

function isCharge({ name, description, ifUnpaid }: OfferedCharge): boolean {
  if (!isText(name) || !isText(description)) return false;
  if (ifUnpaid === undefined) return true;
  if (typeof ifUnpaid !== 'object' || ifUnpaid === null) return false;
  const { percentOfInstalment, flat, gstPercent, every, cause } = ifUnpaid;
  return (
    (flat === undefined ? (percentOfInstalment ?? 0) > 0 : isAmount(flat)) &&
    [percentOfInstalment, gstPercent].every((one) => one === undefined || isPercent(one)) &&
    UNPAID_INTERVALS.includes(every) &&
    (cause === undefined || UNPAID_CAUSES.includes(cause))
  );
}

function isPercent(value: unknown): boolean {
  return isNumber(value) && (value as number) <= 100;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 1_000;
}

/** A statement without a day to change one's mind is none. */
function isDays(value: number | undefined): boolean {
  return value === undefined || (Number.isSafeInteger(value) && value >= 1);
}

/** Whole paise above zero. */
function isAmount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
