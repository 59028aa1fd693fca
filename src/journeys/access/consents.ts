import { Injectable } from '@nestjs/common';
import { CONSENT_VERSION, type ConsentText, plainConsent } from '../../consents/index.js';
import { KeyFactsRepository } from '../../key-facts/index.js';
import { IdGenerator, Keyring, type Language, sha256, type Tx } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import type { Consent } from '../store/consent.entity.js';
import { ConsentsRepository } from '../store/consents.repository.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import type { Journey } from '../store/journey.entity.js';
import type { OwnedJourney } from '../store/journeys.repository.js';

const ADDRESS_PURPOSE = 'consents.client_address';

export function consentDigest(text: ConsentText): string {
  return sha256([plainConsent(text), text.calls, text.callsNote].join('\n'));
}

export type GivenConsent = Pick<Consent, 'textVersion' | 'language' | 'shownText' | 'givenAt'>;

export interface CurrentConsent {
  readonly textVersion: string;
  readonly givenAt: Date;
}

interface ConsentSource {
  readonly clientAddress: string;
  readonly sessionId: string | null;
  readonly lenderCodes: readonly string[];
}

@Injectable()
export class Consents {
  constructor(
    private readonly consents: ConsentsRepository,
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
  ) {}

  current(key: HostedKey): Promise<CurrentConsent | null> {
    return this.consents.find(key, CONSENT_VERSION);
  }

  /** The last consent, of any version. */
  newest(tx: Tx, journey: OwnedJourney): Promise<GivenConsent | null> {
    return this.consents.newest(tx, journey);
  }

  /**
   * Idempotent.
   * @returns whether it was new
   */
  record(
    tx: Tx,
    { partnerId, journeyId }: HostedKey,
    text: ConsentText,
    from: ConsentSource,
  ): Promise<boolean> {
    const shownText = plainConsent(text);
    return this.consents.insert(tx, {
      id: this.ids.next('cns'),
      partnerId,
      journeyId,
      textVersion: text.version,
      language: text.language,
      shownText,
      textHash: sha256(shownText),
      clientAddressSealed: this.keyring.seal(from.clientAddress, ADDRESS_PURPOSE),
      lenderCodes: from.lenderCodes,
      sessionId: from.sessionId,
    });
  }
}

@Injectable()
export class AgreedLanguages {
  constructor(
    private readonly consents: Consents,
    private readonly keyFacts: KeyFactsRepository,
    private readonly settings: ServiceSettings,
  ) {}

  /** From the agreed statement, else from the consent. */
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
