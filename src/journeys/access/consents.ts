import { Injectable } from '@nestjs/common';
import { IdGenerator, Keyring, sha256, type Tx } from '../../platform/index.js';
import type { Consent } from '../store/consent.entity.js';
import { ConsentsRepository } from '../store/consents.repository.js';
import type { OwnedJourney } from '../store/journeys.repository.js';
import { type ConsentText, CONSENT_VERSION, plainConsent } from '../../consents/index.js';
import type { CurrentConsent, HostedKey } from '../applicant/hosted-view.js';

/** Under which a consent's client address is sealed. */
export const ADDRESS_PURPOSE = 'consents.client_address';

/** The digest by which a form says which text it showed, that of the box for calls included. */
export function consentDigest(text: ConsentText): string {
  return sha256([plainConsent(text), text.calls, text.callsNote].join('\n'));
}

/** A consent as it was given, and the text that was agreed to. */
export type GivenConsent = Pick<Consent, 'textVersion' | 'language' | 'shownText' | 'givenAt'>;

/** Where a consent came from, and for which lenders it is. */
export interface ConsentSource {
  readonly clientAddress: string;
  readonly sessionId: string | null;
  readonly lenderCodes: readonly string[];
}

/** What applicants have agreed to: the exact text, its version, when and from where. */
@Injectable()
export class Consents {
  constructor(
    private readonly consents: ConsentsRepository,
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
  ) {}

  /** The consent to the text that is asked for today; null when there is none. */
  current(key: HostedKey): Promise<CurrentConsent | null> {
    return this.consents.find(key, CONSENT_VERSION);
  }

  /** The consent that was given last, whatever its version; null when there is none. */
  newest(tx: Tx, journey: OwnedJourney): Promise<GivenConsent | null> {
    return this.consents.newest(tx, journey);
  }

  /**
   * Records a consent, once: the same one sent twice stays as it was given first.
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
