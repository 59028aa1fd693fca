import { Injectable } from '@nestjs/common';
import {
  ConsentLog,
  type ConsentText,
  consentText,
  consentValues,
  namesLender,
  plainConsent,
} from '../../consents/index.js';
import { Database, type Language } from '../../platform/index.js';
import { LenderCatalogue, ServiceSettings } from '../../settings/index.js';
import { consentDigest, Consents } from '../access/consents.js';
import { isConfirmed } from '../domain/journey.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import { JourneyAudit } from '../store/journey-audit.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { HostedReader } from './hosted-reader.js';
import type { GivenOnPage } from './hosted-view.js';

@Injectable()
export class HostedConsents {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly reader: HostedReader,
    private readonly consents: Consents,
    private readonly consentLog: ConsentLog,
    private readonly lenders: LenderCatalogue,
    private readonly settings: ServiceSettings,
    private readonly audit: JourneyAudit,
  ) {}

  async consentText(key: HostedKey, language: Language): Promise<ConsentText> {
    const { productCode } = await this.reader.journey(key);
    const lenders = await this.lenders.serving(productCode);
    const { dataKeptYears } = await this.settings.operating();
    const brand = await this.settings.brand();
    return consentText(language, consentValues('HOSTED', brand, lenders, dataKeptYears));
  }

  /**
   * Idempotent; also records the permission for calls.
   * @returns false, recording nothing, when the text has changed
   */
  async recordConsent(
    key: HostedKey & { readonly sessionId?: string },
    { language, shown, mayCall, clientAddress }: GivenOnPage,
  ): Promise<boolean> {
    const text = await this.consentText(key, language);
    if (consentDigest(text) !== shown) return false;
    await this.database.transaction(async (tx) => {
      const journey = await this.journeys.lockHosted(tx, key);
      if (isConfirmed(journey)) return;
      const sessionId = key.sessionId ?? null;
      const lenderCodes = await this.lendersNamed(journey, text);
      const from = { clientAddress, sessionId, lenderCodes };
      const isNew = await this.consents.record(tx, key, text, from);
      if (isNew) {
        if (mayCall) {
          await this.consentLog.allowCalls(tx, { ...key, text, lenderCodes, sessionId });
        }
        await this.audit.record(tx, journey, 'CONSENTED');
      }
      await this.journeys.touch(tx, journey);
    });
    return true;
  }

  private async lendersNamed({ productCode }: Journey, text: ConsentText): Promise<string[]> {
    const lenders = await this.lenders.serving(productCode);
    const agreedTo = plainConsent(text);
    return lenders.filter(({ name }) => namesLender(agreedTo, name)).map(({ code }) => code);
  }
}
