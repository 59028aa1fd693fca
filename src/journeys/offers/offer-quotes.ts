import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  checkClaimedFigures,
  formatRupees,
  MIN_UP_FRONT_FEE,
  type Paise,
} from '../../loans/index.js';
import { chargesOf, isWellFormed, LenderGateway, type LenderOffer } from '../../lenders/index.js';
import { validationFault } from '../../platform/index.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import type { QuotedLoan } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import { figuresOf } from './offer-intake.js';
import type { Offer } from '../store/offer.entity.js';

/** `GONE`: the lender withdrew the offer; `DIFFERS`: the quote is not the offer. */
type QuotedSelection = QuotedLoan | 'GONE' | 'DIFFERS';

/** Never call it inside a transaction. */
@Injectable()
export class OfferQuotes {
  constructor(
    private readonly gateway: LenderGateway,
    private readonly applicants: ApplicantFiles,
  ) {}

  /** @throws LenderUnavailable when the response is unknown */
  async quote(journey: Journey, offer: Offer, principal: Paise): Promise<QuotedSelection> {
    const quoted = await this.gateway.quote({
      // The same id each time: a slow lender may have the answer on the retry.
      idempotencyKey: quoteReference(offer.id, principal),
      subjectId: journey.id,
      lenderCode: offer.lenderCode,
      offerReference: offer.lenderReference,
      principal,
      payload: this.applicants.payload(journey, { offerReference: offer.lenderReference }),
    });
    if (!quoted) return 'GONE';
    if (quoted === 'DIFFERS') return quoted;
    return selectionOf(offer, quoted, principal) ?? 'DIFFERS';
  }
}

/** The amount in base 36: lenders' id fields are short. */
export function quoteReference(offerId: string, principal: Paise): string {
  return `${offerId}:${principal.toString(36)}`;
}

/** @throws Fault validation_failed on `field` for an amount outside the offer's range */
export function assertInRange(offer: Offer, principal: Paise, field: string): void {
  if (principal >= offer.minimumAmount && principal <= offer.principal) return;
  const least = formatRupees(offer.minimumAmount);
  const most = formatRupees(offer.principal);
  throw validationFault([{ field, message: `must be from ${least} to ${most} for this offer` }]);
}

/** Null: the figures are not the offer's. */
function selectionOf(offer: Offer, quoted: LenderOffer, principal: Paise): QuotedLoan | null {
  if (!isWellFormed(quoted) || !isOfOffer(offer, quoted, principal)) return null;
  try {
    const { areFeesPaidFirst = false } = offer.figures;
    if ((quoted.areChargesPaidUpFront ?? areFeesPaidFirst) !== areFeesPaidFirst) return null;
    const claimed = { ...quoted, areChargesPaidUpFront: areFeesPaidFirst };
    const { quote, disagreements } = checkClaimedFigures(claimed);
    if (disagreements.length > 0) return null;
    if (areFeesPaidFirst && quote.processingFees < MIN_UP_FRONT_FEE) return null;
    return { ...figuresOf(quote, areFeesPaidFirst), loanAmount: principal };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Only the amount may differ. Charges may not be higher, and must be equal for the whole amount.
 */
function isOfOffer(offer: Offer, quoted: LenderOffer, principal: Paise): boolean {
  const { annualRatePercent, tenureMonths, fees } = offer.figures;
  const isWhole = principal === offer.principal;
  const areFeesKept =
    quoted.fees.length === fees.length &&
    fees.every(({ name, payee, amount }, index) => {
      const fee = quoted.fees[index];
      const isSame = fee?.name === name && fee.payee === payee;
      return isSame && (isWhole ? fee.amount === amount : fee.amount <= amount);
    });
  return (
    quoted.reference === offer.lenderReference &&
    quoted.principal === principal &&
    quoted.annualRatePercent === annualRatePercent &&
    areTermsKept(offer, quoted) &&
    quoted.tenureMonths === tenureMonths &&
    areFeesKept
  );
}

/** A term that the quote omits is unchanged. */
function areTermsKept({ terms }: Offer, quoted: LenderOffer): boolean {
  const { coolingOffDays, coLender } = quoted;
  const quotedTerms = { ...chargesOf(quoted), coolingOffDays, coLender };
  return Object.entries(quotedTerms).every(
    ([name, value]) =>
      value === undefined || isDeepStrictEqual(value, terms[name as keyof typeof quotedTerms]),
  );
}
