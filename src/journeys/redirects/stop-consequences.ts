import { Injectable } from '@nestjs/common';
import type { OfferTerms } from '../../lenders/index.js';
import type { Paise } from '../../loans/index.js';
import { Database } from '../../platform/index.js';
import { LenderCatalogue, type LenderContact } from '../../settings/index.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyFeesRepository } from '../store/journey-fees.repository.js';
import { OffersRepository } from '../store/offers.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';

export interface PossibleMandate {
  readonly lenderName: string;
  readonly contact: LenderContact;
}

export interface PossibleFee {
  readonly amount: Paise;
  readonly isKept: boolean;
  readonly terms: OfferTerms;
  readonly lenderName: string;
}

export interface PossibleValuation {
  readonly lenderName: string;
  readonly terms: OfferTerms;
}

/** What may remain when a journey ends without a loan, deselected offers included. */
export interface StopRemains {
  readonly mandates: readonly PossibleMandate[];
  readonly fee: PossibleFee | null;
  readonly valuations: readonly PossibleValuation[];
}

@Injectable()
export class StopConsequences {
  constructor(
    private readonly database: Database,
    private readonly redirects: RedirectsRepository,
    private readonly offers: OffersRepository,
    private readonly lenders: LenderCatalogue,
    private readonly fees: JourneyFeesRepository,
  ) {}

  async of(journey: Journey): Promise<StopRemains> {
    return {
      mandates: await this.mandates(journey),
      fee: await this.paidFee(journey),
      valuations: await this.valuations(journey),
    };
  }

  /** This service cannot end a mandate. */
  private async mandates(journey: Journey): Promise<PossibleMandate[]> {
    const codes = await this.database.transaction((tx) =>
      this.redirects.mandateLenders(tx, journey),
    );
    const lenders = await Promise.all(codes.map((code) => this.lenders.find(code)));
    return lenders
      .filter((lender) => lender !== null)
      .map(({ name, terms }) => ({
        lenderName: name,
        contact: terms.contact ?? terms.grievanceOfficer,
      }));
  }

  private paidFee(journey: Journey): Promise<PossibleFee | null> {
    return this.database.transaction(async (tx) => {
      const fee = journey.selectedOfferId === null ? null : await this.fees.current(tx, journey);
      if (!fee?.paidAt) return null;
      const { terms, sellerName: lenderName } = await this.offers.selected(tx, journey);
      return { amount: fee.amount, isKept: fee.feeOnDecline === 'KEPT', terms, lenderName };
    });
  }

  /** No lender reports a visit to a branch. */
  private async valuations(journey: Journey): Promise<PossibleValuation[]> {
    const offers = await this.database.transaction((tx) => this.offers.withBranch(tx, journey));
    return offers.map(({ sellerName: lenderName, terms }) => ({ lenderName, terms }));
  }
}
