import { Injectable } from '@nestjs/common';
import { KeyFactsRepository } from '../../key-facts/index.js';
import type { Language, Tx } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import type { Journey } from '../store/journey.entity.js';
import { Consents } from './consents.js';

/** The language in which an applicant is texted. */
@Injectable()
export class AgreedLanguages {
  constructor(
    private readonly consents: Consents,
    private readonly keyFacts: KeyFactsRepository,
    private readonly settings: ServiceSettings,
  ) {}

  /** Of the last agreement: the statement, else the consent. */
  async of(tx: Tx, journey: Journey): Promise<Language> {
    const { partnerId, selectedOfferId } = journey;
    const statement =
      selectedOfferId && (await this.keyFacts.standing(tx, partnerId, selectedOfferId));
    const agreed = statement ? statement.acknowledgement?.language : null;
    if (agreed) return agreed;
    const consent = await this.consents.newest(tx, journey);
    return consent?.language ?? (await this.settings.brand()).smsLanguage ?? 'en';
  }
}
