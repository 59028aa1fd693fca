import { Injectable } from '@nestjs/common';
import { checkClaimedFigures, formatRupees, rupeesToPaise } from '../../loans/index.js';
import { LenderGateway, type LenderOffer } from '../../lenders/index.js';
import {
  Clock,
  Fault,
  OperatorFlags,
  RupeesField,
  TextField,
  type Tx,
  validationFault,
} from '../../platform/index.js';
import { ApplicantFiles } from '../applicant-file.js';
import type { Journey, Selection } from '../journey.js';
import { JourneyMover } from '../journey-mover.js';
import { KeyFactsBook } from '../key-facts/key-facts-book.js';
import { figuresOf } from '../offers/offer-intake.js';
import type { Offer } from '../offers/offer.js';
import { OffersRepository } from '../offers/offers.repository.js';
import type { ActionHandler, ActionOutcome, PreparedAction } from './action-handler.js';

export class SelectOfferPayload {
  @TextField({
    about: 'One of the journey’s offers.',
    example: 'off_01a1fcf153ae76b2be3e2ab68ffc4d07',
  })
  offerId: string;

  /** In rupees; the offer's whole principal when left out. */
  @RupeesField({
    optional: true,
    about:
      'In rupees, from the offer’s minimumLoanAmount to its principalAmount, which is taken when left out.',
    example: 150_000,
  })
  loanAmount?: number;
}

/** Chooses an offer: its lender quotes anew for the chosen amount, and the KFS is frozen. */
@Injectable()
export class SelectOfferHandler implements ActionHandler<SelectOfferPayload> {
  readonly kind = 'SELECT_OFFER';
  readonly state = 'OFFERS_RECEIVED';
  readonly shape = SelectOfferPayload;

  constructor(
    private readonly offers: OffersRepository,
    private readonly gateway: LenderGateway,
    private readonly applicants: ApplicantFiles,
    private readonly keyFacts: KeyFactsBook,
    private readonly mover: JourneyMover,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
  ) {}

  async prepare(journey: Journey, payload: SelectOfferPayload): Promise<PreparedAction> {
    const offer = await this.offers.findInRound(journey, payload.offerId);
    if (!offer) {
      throw validationFault([
        { field: 'payload.offerId', message: 'must be the offerId of one of the journey’s offers' },
      ]);
    }
    const principal =
      payload.loanAmount === undefined ? offer.principal : rupeesToPaise(payload.loanAmount);
    if (this.hasRunOut(offer)) throw new Fault('offer_expired');
    assertInRange(offer, principal);
    return { call: (intentId) => this.quote(journey, offer, principal, intentId) };
  }

  private async quote(
    journey: Journey,
    offer: Offer,
    principal: number,
    intentId: string,
  ): Promise<ActionOutcome> {
    const quoted = await this.gateway.quote({
      idempotencyKey: intentId,
      lenderCode: offer.lenderCode,
      offerReference: offer.lenderReference,
      principal,
      payload: this.applicants.payload(journey, { offerReference: offer.lenderReference }),
    });
    const selection = quoted && selectionOf(offer, quoted, principal);
    return {
      record: (tx, current) => this.record(tx, current, offer, quoted, selection),
    };
  }

  private async record(
    tx: Tx,
    journey: Journey,
    offer: Offer,
    quoted: LenderOffer | null,
    selection: Selection | null,
  ): Promise<Fault | null> {
    // The offer may have run out while its lender was quoting.
    if (!quoted || this.hasRunOut(offer)) return new Fault('offer_expired');
    if (!selection) {
      await this.flags.raise(tx, {
        partnerId: journey.partnerId,
        subjectId: journey.id,
        kind: 'OFFER_REFUSED',
        detail: { lenderCode: offer.lenderCode, offerId: offer.id, reason: 'QUOTE_DIFFERS' },
      });
      // What was offered is no longer to be had: another try would meet the same.
      return new Fault('offer_expired');
    }
    await this.keyFacts.freeze(tx, journey, offer, selection);
    await this.mover.move(tx, journey, 'OFFER_SELECTED', {
      selectedOfferId: offer.id,
      selection,
      offersDueAt: null,
    });
    return null;
  }

  private hasRunOut(offer: Offer): boolean {
    return offer.validUntil <= this.clock.now();
  }
}

function assertInRange(offer: Offer, principal: number): void {
  if (principal >= offer.minimumAmount && principal <= offer.principal) return;
  const least = formatRupees(offer.minimumAmount);
  const most = formatRupees(offer.principal);
  throw validationFault([
    { field: 'payload.loanAmount', message: `must be from ${least} to ${most} for this offer` },
  ]);
}

/** The quote with its figures computed again; null when they are not those of the offer chosen. */
function selectionOf(offer: Offer, quoted: LenderOffer, principal: number): Selection | null {
  if (!isOfOffer(offer, quoted, principal)) return null;
  try {
    const { quote, disagreements } = checkClaimedFigures(quoted);
    return disagreements.length > 0 ? null : { ...figuresOf(quote), loanAmount: principal };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * The amount is the applicant's choice; everything else is what was offered. Charges of the same
 * names may only be as high as they were shown, for the whole amount exactly as high.
 */
function isOfOffer(offer: Offer, quoted: LenderOffer, principal: number): boolean {
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
    quoted.tenureMonths === tenureMonths &&
    areFeesKept
  );
}
