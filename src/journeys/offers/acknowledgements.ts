import { Injectable } from '@nestjs/common';
import { type GivenAcknowledgement, KeyFactsRepository } from '../../key-facts/index.js';
import type { Tx } from '../../platform/index.js';
import { JourneyAudit } from '../store/journey-audit.js';
import type { Journey } from '../store/journey.entity.js';

// No page was seen, so it is the pages' default.
const LANGUAGE_UNSEEN = 'en';

@Injectable()
export class Acknowledgements {
  constructor(
    private readonly statements: KeyFactsRepository,
    private readonly audit: JourneyAudit,
  ) {}

  /**
   * Ignores repeats and outdated statements.
   * @param journey locked
   */
  async record(
    tx: Tx,
    journey: Journey,
    offerId: string,
    given: GivenAcknowledgement,
  ): Promise<void> {
    const isNew = await this.statements.acknowledge(tx, journey.partnerId, offerId, given);
    if (isNew) await this.audit.record(tx, journey, 'KEY_FACTS_ACKNOWLEDGED');
  }

  /**
   * For the sandbox, where test suites have no browser.
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
