import { Injectable } from '@nestjs/common';
import { FEE } from '../../journey-steps/index.js';
import {
  OfferExamination,
  type OfferedAnswer,
  refusalReference,
  type SoundOffer,
} from '../../lenders/index.js';
import type { Quote } from '../../loans/index.js';
import { IdGenerator, Tx } from '../../platform/index.js';
import { isInstant, type LoanFigures, subjectKindOf } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import { type NewOffer, OffersRepository } from '../store/offers.repository.js';

export interface ClaimedOffers extends OfferedAnswer {
  /** Locked. */
  readonly journey: Journey;
  readonly lenderCode: string;
  /** Of the notice about refused offers; absent: that of the round. */
  readonly refusal?: string;
}

@Injectable()
export class OfferIntake {
  constructor(
    private readonly offers: OffersRepository,
    private readonly examination: OfferExamination,
    private readonly ids: IdGenerator,
  ) {}

  async takeAll(tx: Tx, claims: readonly ClaimedOffers[]): Promise<NewOffer[]> {
    const taken: NewOffer[] = [];
    for (const { journey, lenderCode, refusal, ...offered } of claims) {
      const subject = subjectOf(journey, refusal);
      const sound = await this.examination.take(tx, subject, lenderCode, offered);
      taken.push(...countedOf(journey, sound).map((one) => this.offerOf(journey, one)));
    }
    if (taken.length > 0) await this.offers.insertAll(tx, taken);
    return taken;
  }

  private offerOf(journey: Journey, { lender, offer, quote, terms }: SoundOffer): NewOffer {
    return {
      id: this.ids.next('off'),
      partnerId: journey.partnerId,
      journeyId: journey.id,
      round: journey.offerRound,
      lenderCode: lender.code,
      lenderReference: offer.reference,
      sellerName: lender.name,
      principal: offer.principal,
      minimumAmount: offer.minimumAmount,
      figures: figuresOf(quote, arePaidFirst(journey)),
      terms,
      validUntil: new Date(offer.validUntil),
    };
  }
}

/** As the public method states, only each lender's binding offer with the lowest APR counts. */
function countedOf(journey: Journey, sound: readonly SoundOffer[]): readonly SoundOffer[] {
  if (!isInstant(journey)) return sound;
  return sound.toSorted((one, other) => one.quote.apr - other.quote.apr).slice(0, 1);
}

function subjectOf(
  { id, partnerId, applicationId, productCode, ...journey }: Journey,
  refusal = refusalReference(journey.offerRound),
) {
  return {
    subjectKind: subjectKindOf(journey),
    subjectId: id,
    partnerId,
    applicationId,
    productCode,
    loanAmount: journey.loanAmount,
    refusal,
    needsBranch: journey.steps.includes('BRANCH'),
    areChargesPaidUpFront: arePaidFirst(journey),
  } as const;
}

function arePaidFirst({ steps }: Pick<Journey, 'steps'>): boolean {
  return steps.includes(FEE.name);
}

export function figuresOf(quote: Quote, areFeesPaidFirst: boolean): LoanFigures {
  return {
    annualRatePercent: quote.annualRatePercent,
    tenureMonths: quote.tenureMonths,
    instalment: quote.instalment,
    apr: quote.apr,
    processingFees: quote.processingFees,
    netDisbursed: areFeesPaidFirst ? quote.principal : quote.netDisbursed,
    ...(areFeesPaidFirst && { areFeesPaidFirst }),
    fees: quote.fees,
  };
}
