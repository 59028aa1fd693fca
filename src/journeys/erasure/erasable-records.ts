import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  LENDER_CONNECTOR_RECORDS,
  type LenderConnectorRecords,
  LenderInbox,
  QuestionOutbox,
} from '../../lenders/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import { Idempotency, Keyring, type Tx } from '../../platform/index.js';
import { ConsentsRepository } from '../store/consents.repository.js';
import { HostedLinksRepository } from '../store/hosted-links.repository.js';
import { HostedSessionsRepository } from '../store/hosted-sessions.repository.js';
import { IntentsRepository } from '../store/intents.repository.js';
import { OneTimeCodesRepository } from '../store/one-time-codes.repository.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository, type OwnedJourney } from '../store/journeys.repository.js';
import { INITIATE_OPERATION } from '../use-cases/initiate-operation.js';

// The answer is kept in the transaction that starts the journey, so moments apart at most.
const ANSWER_WITHIN_MS = 60_000;

/** Whose data: exactly one of these. */
export interface ErasureSubject {
  readonly journeyId?: string;
  readonly mobile?: string;
  readonly pan?: string;
}

/** Where a journey's personal data stands, and how it is taken away. */
@Injectable()
export class ErasableRecords {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly intents: IntentsRepository,
    private readonly consents: ConsentsRepository,
    private readonly codes: OneTimeCodesRepository,
    private readonly sessions: HostedSessionsRepository,
    private readonly links: HostedLinksRepository,
    private readonly keyring: Keyring,
    private readonly questions: QuestionOutbox,
    private readonly inbox: LenderInbox,
    private readonly sms: SmsOutbox,
    private readonly idempotency: Idempotency,
    @Optional()
    @Inject(LENDER_CONNECTOR_RECORDS)
    private readonly connectorRecords: LenderConnectorRecords | undefined,
  ) {}

  /** For the administrator, who looks across partners. */
  find({ journeyId, mobile, pan }: ErasureSubject): Promise<OwnedJourney[]> {
    if (mobile !== undefined)
      return this.journeys.findOf('mobileHash', this.hashes(mobile, 'mobile'));
    if (pan !== undefined)
      return this.journeys.findOf('panHash', this.hashes(pan.toUpperCase(), 'pan'));
    return this.journeys.findOf('id', [journeyId ?? '']);
  }

  /**
   * Erases what is there; its journey is over, or is being ended in this transaction.
   * @returns whether there was anything
   */
  async erase(tx: Tx, journey: Journey): Promise<boolean> {
    const { id, partnerId } = journey;
    const erased = [
      await this.journeys.eraseApplicant(tx, journey),
      await this.intents.erase(tx, journey),
      await this.questions.erase(tx, partnerId, id),
      await this.inbox.erase(tx, partnerId, id),
      await this.sms.erase(tx, partnerId, id),
      (await this.connectorRecords?.erase(tx, partnerId, id)) ?? 0,
      await this.consents.eraseAddresses(tx, journey),
      await this.codes.deleteAllOf(tx, journey),
      await this.idempotency.forget(tx, {
        partnerId,
        operation: INITIATE_OPERATION,
        at: journey.createdAt,
        withinMs: ANSWER_WITHIN_MS,
        isMeant: (answer) => 'journeyId' in answer && answer.journeyId === id,
      }),
    ];
    // Nobody is signed in for an applicant who is no longer known, or can be by a code.
    await this.sessions.endAllOf(tx, journey);
    // A link to the screens of an applicant who is no longer known leads nowhere.
    await this.links.expireAllOf(tx, journey);
    return erased.some((count) => count > 0);
  }

  private hashes(value: string, purpose: string): string[] {
    return this.keyring.lookupHashes(value.trim(), purpose);
  }
}
