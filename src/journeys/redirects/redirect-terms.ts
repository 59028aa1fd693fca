import { Injectable } from '@nestjs/common';
import { isRedirectStep } from '../../journey-steps/index.js';
import { KeyFactsRepository } from '../../key-facts/index.js';
import { LenderGateway, type ShownProvider } from '../../lenders/index.js';
import { Database, type Language } from '../../platform/index.js';
import { Acknowledgements } from '../offers/acknowledgements.js';
import type { HostedOffer, HostedSelection } from '../offers/hosted-offers.js';
import { JourneyKeyFacts } from '../offers/journey-key-facts.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import type { Offer } from '../store/offer.entity.js';
import type { Redirect } from '../store/redirect.entity.js';

/** What the applicant acknowledges before the provider's page. */
export type UnacknowledgedTerms = Omit<HostedSelection, 'offer' | 'branch' | 'isAgreed'> & {
  readonly offer: Pick<HostedOffer, 'terms'>;
  /** Null when it is not configured. */
  readonly provider: ShownProvider | null;
};

@Injectable()
export class RedirectTerms {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly statements: KeyFactsRepository,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly gateway: LenderGateway,
    private readonly acknowledgements: Acknowledgements,
  ) {}

  async of(
    { selection }: Journey,
    offer: Offer,
    { lenderCode, step }: Redirect,
  ): Promise<UnacknowledgedTerms> {
    const frozen = await this.statements.frozen(offer.id);
    if (!selection || !frozen) throw new Error(`the choice of ${offer.id} has no statement`);
    const { statement, contentHash: keyFactsHash } = frozen;
    const kfsUrl = this.keyFacts.linkTo(offer.id);
    const provider = isRedirectStep(step) ? await this.gateway.providerOf(lenderCode, step) : null;
    return { selection, statement, keyFactsHash, kfsUrl, offer: { terms: offer.terms }, provider };
  }

  /** Records nothing once the step is over, or for a statement that is not in force. */
  async acknowledge(redirect: Redirect, hash: string, language: Language): Promise<void> {
    await this.database.transaction(async (tx) => {
      const journey = await this.journeys.lock(tx, redirect.partnerId, redirect.journeyId);
      if (journey?.redirectId !== redirect.id || journey.selectedOfferId === null) return;
      const given = { hash, language, by: 'REDIRECT' } as const;
      await this.acknowledgements.record(tx, journey, journey.selectedOfferId, given);
      await this.journeys.touch(tx, journey);
    });
  }
}
