import { Injectable } from '@nestjs/common';
import { SmsOutbox } from '../../messaging/index.js';
import { Database, Keyring, type Language, type Tx } from '../../platform/index.js';
import { ApplicantFiles } from '../domain/applicant-file.js';
import { HostedLinks } from './hosted-links.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { LinkRequestsRepository, type TakenRequest } from '../store/link-requests.repository.js';
import { HostedLimits } from './hosted-limits.js';
import type { HostedKey } from '../applicant/hosted-view.js';

/** By what the applicant is known who asks for a link: an earlier link or session, or a mobile. */
export type LinkSubject = { readonly key: HostedKey } | { readonly mobile: string };

const PURPOSE = 'link_requests.subject';
/** Whoever asked so long ago has asked again since, or does not wait any more. */
const MAX_AGE_SECONDS = 3_600;
const RETRY_SECONDS = 30;

/**
 * Sends a fresh link by SMS to the mobile on record, whatever became of the links before. Whoever
 * asks learns nothing: neither whether there is such a journey, nor whether a message was sent. So
 * the request is only written down before the answer, with the same statements whoever it is for, and
 * looked into afterwards in the background; killed at any line, it is looked into by another replica.
 */
@Injectable()
export class FreshLinks {
  constructor(
    private readonly database: Database,
    private readonly requests: LinkRequestsRepository,
    private readonly journeys: JourneysRepository,
    private readonly applicants: ApplicantFiles,
    private readonly links: HostedLinks,
    private readonly limits: HostedLimits,
    private readonly sms: SmsOutbox,
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
      const subjectSealed = this.keyring.seal(JSON.stringify(subject), PURPOSE);
      await this.requests.insert(tx, { subjectSealed, language });
      return null;
    });
  }

  /**
   * Looks into the next request that is due.
   * @param onFailure told of one that failed; it is looked into again later, after the others
   * @returns whether there was one
   */
  async sendNext(onFailure: (error: unknown) => void): Promise<boolean> {
    let id: number | undefined;
    try {
      return await this.database.transaction(async (tx) => {
        const request = await this.requests.takeNext(tx, MAX_AGE_SECONDS);
        if (!request) return false;
        id = request.id;
        if (!request.isOld) await this.lookInto(tx, request);
        return true;
      });
    } catch (error) {
      if (id === undefined) throw error;
      onFailure(error);
      await this.requests.postpone(id, RETRY_SECONDS);
      return true;
    }
  }

  private async lookInto(tx: Tx, { subjectSealed, language }: TakenRequest): Promise<void> {
    const subject = JSON.parse(this.keyring.open(subjectSealed, PURPOSE)) as LinkSubject | null;
    const key = subject && (await this.keyOf(tx, subject));
    if (key) await this.send(tx, key, language);
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

  /** Of a mobile: whichever partner's journey it is, the link goes to nobody but the mobile's holder. */
  private async keyOf(tx: Tx, subject: LinkSubject): Promise<HostedKey | null> {
    if ('key' in subject) return subject.key;
    const hashes = this.keyring.lookupHashes(subject.mobile, 'mobile');
    const journey = await this.journeys.newestHosted(tx, hashes);
    return journey && { partnerId: journey.partnerId, journeyId: journey.id };
  }
}
