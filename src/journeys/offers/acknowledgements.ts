import { Injectable } from '@nestjs/common';
import { type GivenAcknowledgement, KeyFactsRepository } from '../../key-facts/index.js';
import type { Tx } from '../../platform/index.js';
import { JourneyAudit } from '../store/journey-audit.js';
import type { Journey } from '../store/journey.entity.js';

// Nobody has seen a page: it is what our pages speak when nothing else is asked for.
const LANGUAGE_UNSEEN = 'en';

/**
 * The applicant's word that they have read the statement of the chosen offer: kept with the statement,
 * and noted in the journey's record in the same transaction.
 */
@Injectable()
export class Acknowledgements {
  constructor(
    private readonly statements: KeyFactsRepository,
    private readonly audit: JourneyAudit,
  ) {}

  /**
   * Records it, once: a second one changes nothing, and one for another statement is none.
   * @param journey locked
   */
  async record(
    tx: Tx,
    journey: Journey,
    offerId: string,
    given: GivenAcknowledgement,
  ): Promise<void> {
    const isNew = await this.statements.acknowledge(tx, journey.partnerId, offerId, given);
    if (isNew) await this.audit.record(tx, journey, 'KEY_FACTS_ACKNOWLEDGED', journey.state);
  }

  /**
   * For the sandbox alone, where a return stands for a visit: a partner's test suite has no browser.
   * @param journey locked
   */
  async recordForReturn(tx: Tx, journey: Journey): Promise<void> {
    const { partnerId, selectedOfferId: offerId } = journey;
    const standing = offerId && (await this.statements.standing(tx, partnerId, offerId));
    if (!offerId || !standing || standing.acknowledgement) return;
    await this.record(tx, journey, offerId, {
      hash: standing.contentHash,
      language: LANGUAGE_UNSEEN,
      by: 'SANDBOX_RETURN',
    });
  }
}
