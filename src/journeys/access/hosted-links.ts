import { Injectable } from '@nestjs/common';
import { SmsOutbox } from '../../messaging/index.js';
import {
  Database,
  type Environment,
  InjectEnvironment,
  Keyring,
  type Language,
  RandomSource,
  sha256,
  Tx,
} from '../../platform/index.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import {
  HostedLinksRepository,
  type HostedLinkState,
  LinkRequestsRepository,
  type TakenRequest,
} from '../store/hosted-links.repository.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { HostedLimits } from './hosted-limits.js';

/** Links are single-use and stored as hashes. */
@Injectable()
export class HostedLinks {
  constructor(
    private readonly links: HostedLinksRepository,
    private readonly random: RandomSource,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  /** @returns the URL, the only plain copy of the token */
  async issue(tx: Tx, journey: Journey): Promise<string> {
    const [url] = await this.issueAll(tx, [journey]);
    return url;
  }

  async issueAll(tx: Tx, journeys: readonly Journey[]): Promise<string[]> {
    const tokens = journeys.map(() => this.random.token());
    await this.links.insertAll(
      tx,
      journeys.map(({ id, partnerId }, index) => ({
        tokenHash: sha256(tokens[index]),
        partnerId,
        journeyId: id,
      })),
    );
    return tokens.map((token) => `${this.environment.baseUrl}/hosted/start/${token}`);
  }

  stateOf(tx: Tx, token: string): Promise<HostedLinkState | null> {
    return this.links.stateOf(tx, sha256(token));
  }

  /** @returns the owner for the first caller; null for the others */
  use(tx: Tx, token: string): Promise<HostedKey | null> {
    return this.links.use(tx, sha256(token));
  }
}

export type LinkSubject = { readonly key: HostedKey } | { readonly mobile: string };

const PURPOSE = 'link_requests.subject';
/** After an hour the applicant no longer expects the SMS. */
const MAX_AGE_SECONDS = 3_600;
const RETRY_SECONDS = 30;

/**
 * Sends fresh links by SMS to the mobile on record. The requester must not learn whether the journey exists. So a
 * request is stored by the same statements in every case, and processed in the background.
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
   * @param subject null: unknown, but counted
   * @returns until when this client address is over its limit
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
   * @param onFailure receives the error; the request is retried after the others
   * @returns whether a request was due
   */
  async sendNext(onFailure: (error: unknown) => void): Promise<boolean> {
    let id: number | undefined;
    try {
      return await this.database.transaction(async (tx) => {
        const request = await this.requests.takeNext(tx, MAX_AGE_SECONDS);
        if (!request) return false;
        id = request.id;
        if (!request.isOld) await this.process(tx, request);
        return true;
      });
    } catch (error) {
      if (id === undefined) throw error;
      onFailure(error);
      await this.requests.postpone(id, RETRY_SECONDS);
      return true;
    }
  }

  private async process(tx: Tx, { subjectSealed, language }: TakenRequest): Promise<void> {
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

  /** Any partner's journey: the SMS goes only to the mobile on record. */
  private async keyOf(tx: Tx, subject: LinkSubject): Promise<HostedKey | null> {
    if ('key' in subject) return subject.key;
    const hashes = this.keyring.lookupHashes(subject.mobile, 'mobile');
    const journey = await this.journeys.newestHosted(tx, hashes);
    return journey && { partnerId: journey.partnerId, journeyId: journey.id };
  }
}
