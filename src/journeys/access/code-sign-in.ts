import { Injectable } from '@nestjs/common';
import { SmsOutbox } from '../../messaging/index.js';
import { Database, type Language, type Tx } from '../../platform/index.js';
import { type ApplicantFile, ApplicantFiles } from '../domain/applicant-file.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { masked } from '../applicant/applicant-details.js';
import { HostedLimits } from './hosted-limits.js';
import { HostedSessions } from './hosted-sessions.js';
import type { HostedSessionValue } from '../store/hosted-sessions.repository.js';
import { ENTRY_LIMITS } from '../domain/entry-limits.js';
import type { SentCode } from '../store/one-time-codes.repository.js';
import { OneTimeCodes } from './one-time-codes.js';

/** Where a sign-in stands, for the page that asks for the code. */
export interface CodeState {
  /** The mobile's last four digits alone; null when the applicant's data has been erased. */
  readonly maskedMobile: string | null;
  /** The newest code; null when none was sent. */
  readonly code: SentCode | null;
  /** Whether the SMS gateway has taken the code's message. */
  readonly isHandedOver: boolean;
  /** When another code can be had; null: now. */
  readonly noCodeUntil: Date | null;
  /** When a code can be tried again from this client address; null: now. */
  readonly noTryUntil: Date | null;
}

/** Signs an applicant in by a code that is sent to the mobile on record. */
@Injectable()
export class CodeSignIn {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly applicants: ApplicantFiles,
    private readonly sessions: HostedSessions,
    private readonly codes: OneTimeCodes,
    private readonly limits: HostedLimits,
    private readonly sms: SmsOutbox,
  ) {}

  async stateOf(session: HostedSessionValue, clientAddress: string): Promise<CodeState> {
    const { partnerId, journeyId } = session;
    const journey = await this.journeys.find(partnerId, journeyId);
    const file = journey && this.applicants.open(journey);
    return this.database.transaction(async (tx) => {
      const code = await this.codes.newest(tx, session);
      return {
        maskedMobile: file ? masked(file.applicant.mobile) : null,
        code,
        isHandedOver: code !== null && (await this.sms.isHandedOver(tx, code.smsId)),
        noCodeUntil: await this.noCodeUntil(tx, session, file, clientAddress),
        noTryUntil: await this.limits.lockedUntil(tx, 'TRIES_OF_ADDRESS', clientAddress),
      };
    });
  }

  /**
   * Sends a code, unless one has been sent since the page was shown: a button that is pressed twice
   * sends one.
   * @param after the newest code that the page knew of; null: none
   * @param clientAddress whose share of codes it is counted against
   */
  async send(
    session: HostedSessionValue,
    after: string | null,
    language: Language,
    clientAddress: string,
  ): Promise<void> {
    const smsId = await this.database.transaction((tx) =>
      this.put(tx, session, after, language, clientAddress),
    );
    if (smsId !== null) await this.sms.handOver(smsId);
  }

  private async put(
    tx: Tx,
    session: HostedSessionValue,
    after: string | null,
    language: Language,
    clientAddress: string,
  ): Promise<string | null> {
    const { partnerId, journeyId } = session;
    // One at a time for a journey: the lock makes "none was sent since" true until the commit.
    const journey = await this.journeys.lock(tx, partnerId, journeyId);
    const file = journey && this.applicants.open(journey);
    const newest = await this.codes.newest(tx, session);
    if (!file || (newest?.id ?? null) !== after) return null;
    if (await this.noCodeUntil(tx, session, file, clientAddress)) return null;
    if (await this.limits.take(tx, 'CODES_TO_ADDRESS', clientAddress)) return null;
    await this.limits.take(tx, 'CODES_OF_JOURNEY', journeyId);
    await this.limits.take(tx, 'CODES_OF_JOURNEY_A_DAY', journeyId);
    const { mobile, pan } = file.applicant;
    const drawn = this.codes.draw();
    const { id: smsId, isHeldBack } = await this.sms.put(tx, {
      partnerId,
      subjectId: journeyId,
      kind: 'ONE_TIME_CODE',
      language,
      applicant: { mobile, pan },
      values: { code: drawn.code },
      validForSeconds: ENTRY_LIMITS.codeMinutes * 60,
    });
    // Another replica has just sent this mobile its last text of the day.
    if (isHeldBack) return null;
    await this.codes.insert(tx, session, drawn, smsId);
    return smsId;
  }

  /**
   * @param session still to be verified
   * @returns the session's new token; null for a code that is wrong, expired, used or tried too often
   */
  verify(
    session: HostedSessionValue,
    typed: string,
    clientAddress: string,
  ): Promise<string | null> {
    return this.judge(session, clientAddress, (tx) => this.codes.try(tx, session, typed));
  }

  /**
   * The same right code sent off twice: the first answer renewed the session's token, and may never
   * have reached the browser.
   * @param token the previous one
   * @returns the session's new token; null when it is no such case
   */
  async verifyAgain(token: string, typed: string, clientAddress: string): Promise<string | null> {
    const session = await this.sessions.findRenewed(token);
    if (!session) return null;
    return this.judge(session, clientAddress, (tx) => this.codes.tryAgain(tx, session, typed));
  }

  private judge(
    session: HostedSessionValue,
    clientAddress: string,
    isRight: (tx: Tx) => Promise<boolean>,
  ): Promise<string | null> {
    return this.database.transaction(async (tx) => {
      // The journey before its codes, as an erasure locks them.
      const journey = await this.journeys.lock(tx, session.partnerId, session.journeyId);
      if (await this.limits.take(tx, 'TRIES_OF_ADDRESS', clientAddress)) return null;
      if (!(await isRight(tx))) return null;
      await this.limits.giveBack(tx, 'TRIES_OF_ADDRESS', clientAddress);
      if (journey) await this.journeys.touch(tx, journey);
      return this.sessions.verify(tx, session);
    });
  }

  private async noCodeUntil(
    tx: Tx,
    { journeyId }: HostedSessionValue,
    file: ApplicantFile | null,
    clientAddress: string,
  ): Promise<Date | null> {
    const pauses = [
      await this.limits.lockedUntil(tx, 'CODES_OF_JOURNEY', journeyId),
      await this.limits.lockedUntil(tx, 'CODES_OF_JOURNEY_A_DAY', journeyId),
      await this.limits.lockedUntil(tx, 'CODES_TO_ADDRESS', clientAddress),
      file && (await this.sms.noTextUntil(tx, file.applicant.mobile)),
    ].flatMap((until) => until?.getTime() ?? []);
    return pauses.length === 0 ? null : new Date(Math.max(...pauses));
  }
}
