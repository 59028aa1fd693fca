import { Injectable } from '@nestjs/common';
import { SmsDesk } from '../../messaging/index.js';
import { Database, Keyring, type Language, type Tx } from '../../platform/index.js';
import { ApplicantFiles } from '../applicant-file.js';
import { HostedLinks } from '../initiate/hosted-links.js';
import { JourneysRepository } from '../journeys.repository.js';
import { HostedLimits } from './hosted-limits.js';
import type { HostedKey } from './hosted-view.js';

/** By what the applicant is known who asks for a link: a link or session of before, or a mobile. */
export type LinkSubject = { readonly key: HostedKey } | { readonly mobile: string };

/**
 * Sends a fresh link by SMS to the mobile on record, whatever became of the links before. Whoever
 * asks learns nothing: neither whether there is such a journey, nor whether a message was sent.
 */
@Injectable()
export class FreshLinks {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly applicants: ApplicantFiles,
    private readonly links: HostedLinks,
    private readonly limits: HostedLimits,
    private readonly sms: SmsDesk,
    private readonly keyring: Keyring,
  ) {}

  /**
   * @param subject null: nobody that we know, counted all the same
   * @returns until when this client address can ask for no more; null when it was within its share
   */
  request(
    subject: LinkSubject | null,
    language: Language,
    clientAddress: string,
  ): Promise<Date | null> {
    return this.database.transaction(async (tx) => {
      const until = await this.limits.take(tx, 'LINKS_TO_ADDRESS', clientAddress);
      if (until) return until;
      const key = subject && (await this.keyOf(tx, subject));
      // The message leaves in the background: how long the answer takes tells nothing, either.
      if (key) await this.send(tx, key, language);
      return null;
    });
  }

  private async send(tx: Tx, key: HostedKey, language: Language): Promise<void> {
    const journey = await this.journeys.lock(tx, key.partnerId, key.journeyId);
    const file = journey && this.applicants.open(journey);
    if (!journey || !file) return;
    if (await this.limits.take(tx, 'LINKS_OF_JOURNEY', journey.id)) return;
    const { mobile, pan } = file.applicant;
    await this.sms.put(tx, {
      partnerId: journey.partnerId,
      subjectId: journey.id,
      kind: 'HOSTED_LINK',
      language,
      applicant: { mobile, pan },
      values: { link: await this.links.issue(tx, journey) },
    });
  }

  /**
   * Of a mobile: its newest journey that goes on, else its newest. Looked up over all partners: the
   * applicant knows of no such thing, and the link goes to nobody but the holder of the mobile.
   */
  private async keyOf(tx: Tx, subject: LinkSubject): Promise<HostedKey | null> {
    if ('key' in subject) return subject.key;
    const [row] = await tx.query<HostedKey>(
      `SELECT id AS "journeyId", partner_id AS "partnerId" FROM journeys
       WHERE mobile_hash = ANY ($1) AND channel = 'API_HOSTED'
       ORDER BY finished_at IS NULL DESC, created_at DESC, id DESC LIMIT 1`,
      [this.keyring.lookupHashes(subject.mobile, 'mobile')],
    );
    return row ?? null;
  }
}
