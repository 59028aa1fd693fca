import { Injectable } from '@nestjs/common';
import {
  Database,
  IdGenerator,
  Keyring,
  type Language,
  sha256,
  type Tx,
} from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { type ConsentText, CONSENT_VERSION, plainConsent } from './consent-texts.js';
import type { ConsentStanding, HostedKey } from './hosted-view.js';

/** Under which a consent's client address is sealed. */
export const ADDRESS_PURPOSE = 'consents.client_address';

/** The digest by which a form says which text it showed. */
export function consentDigest(text: ConsentText): string {
  return sha256(plainConsent(text));
}

/** What applicants have agreed to: the exact text, its version, when and from where. */
@Injectable()
export class Consents {
  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
  ) {}

  /** The consent to the text that is asked for today; null when there is none. */
  async standing({ partnerId, journeyId }: HostedKey): Promise<ConsentStanding | null> {
    const [row] = await this.database.prepared<ConsentStanding & Record<string, unknown>>(
      'consent-standing',
      `SELECT text_version AS "textVersion", given_at AS "givenAt" FROM consents
       WHERE journey_id = $1 AND partner_id = $2 AND text_version = $3`,
      [journeyId, partnerId, CONSENT_VERSION],
    );
    return row ?? null;
  }

  /** The text that was agreed to last, whatever its version; null when nothing was. */
  async newestText(
    tx: Tx,
    { partnerId, id: journeyId }: Pick<Journey, 'partnerId' | 'id'>,
  ): Promise<string | null> {
    const [row] = await tx.query<{ text: string }>(
      `SELECT shown_text AS text FROM consents WHERE journey_id = $1 AND partner_id = $2
       ORDER BY given_at DESC, id DESC LIMIT 1`,
      [journeyId, partnerId],
    );
    return row?.text ?? null;
  }

  /**
   * Records a consent, once: the same one sent twice stays as it was given first.
   * @returns whether it was new
   */
  async record(
    tx: Tx,
    { partnerId, journeyId }: HostedKey,
    text: ConsentText,
    clientAddress: string,
  ): Promise<boolean> {
    const language: Language = text.language;
    const recorded = await tx.execute(
      `INSERT INTO consents (id, partner_id, journey_id, text_version, language, shown_text,
         text_hash, client_address_sealed, given_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, app_now())
       ON CONFLICT (journey_id, text_version) DO NOTHING`,
      [
        this.ids.next('cns'),
        partnerId,
        journeyId,
        text.version,
        language,
        plainConsent(text),
        consentDigest(text),
        this.keyring.seal(clientAddress, ADDRESS_PURPOSE),
      ],
    );
    return recorded > 0;
  }
}
