import { Injectable } from '@nestjs/common';
import { SmsOutbox } from '../../messaging/index.js';
import {
  Database,
  equalBytes,
  IdGenerator,
  Keyring,
  type Language,
  RandomSource,
  type Tx,
} from '../../platform/index.js';
import { type ApplicantFile, masked } from '../domain/applicant-details.js';
import { ENTRY_LIMITS, type HostedSessionValue } from '../store/hosted-sessions.repository.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import {
  OneTimeCodesRepository,
  type SentCode,
  type TriedCode,
} from '../store/one-time-codes.repository.js';
import { HostedLimits } from './hosted-limits.js';
import { HostedSessions } from './hosted-sessions.js';

const CODE_DIGITS = 6;
const PURPOSE = 'one_time_codes.code';
const CODES = 10 ** CODE_DIGITS;
/** Numbers above it would make some codes more likely. */
const FAIR_BELOW = 2 ** 32 - (2 ** 32 % CODES);

@Injectable()
export class OneTimeCodes {
  constructor(
    private readonly codes: OneTimeCodesRepository,
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
    private readonly random: RandomSource,
  ) {}

  draw(): { id: string; code: string } {
    for (;;) {
      const number = this.random.bytes(4).readUInt32BE();
      if (number >= FAIR_BELOW) continue;
      return { id: this.ids.next('otc'), code: String(number % CODES).padStart(CODE_DIGITS, '0') };
    }
  }

  async insert(
    tx: Tx,
    session: HostedSessionValue,
    { id, code }: { id: string; code: string },
    smsId: string,
  ): Promise<void> {
    const { partnerId, journeyId, sessionId } = session;
    const codeHash = this.keyring.lookupHash(`${id}:${code}`, PURPOSE);
    await this.codes.insert(tx, { id, partnerId, journeyId, sessionId, codeHash, smsId });
  }

  newest(tx: Tx, session: HostedSessionValue): Promise<SentCode | null> {
    return this.codes.newest(tx, session);
  }

  /** Counts an attempt; a matching code is used. */
  async try(tx: Tx, session: HostedSessionValue, typed: string): Promise<boolean> {
    const code = await this.codes.try(tx, session);
    if (!code || !this.matches(code, typed)) return false;
    await this.codes.markUsed(tx, code);
    return true;
  }

  /** For a double click. */
  async tryAgain(tx: Tx, session: HostedSessionValue, typed: string): Promise<boolean> {
    const code = await this.codes.tryUsed(tx, session);
    return code !== null && this.matches(code, typed);
  }

  private matches({ id, codeHash }: TriedCode, typed: string): boolean {
    return this.keyring
      .lookupHashes(`${id}:${typed}`, PURPOSE)
      .some((hash) => equalBytes(Buffer.from(hash), Buffer.from(codeHash)));
  }
}

export interface CodeState {
  /** Null after erasure. */
  readonly maskedMobile: string | null;
  readonly code: SentCode | null;
  readonly isHandedOver: boolean;
  readonly noCodeUntil: Date | null;
  readonly noTryUntil: Date | null;
}

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
   * A double click sends one code.
   * @param after the newest code that the page displayed
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
    // The lock keeps "no code was sent since" true until the commit.
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
    // Another replica sent this mobile's last SMS of the day.
    if (isHeldBack) return null;
    await this.codes.insert(tx, session, drawn, smsId);
    return smsId;
  }

  /**
   * @param session not verified yet
   * @returns the new session token; null for a wrong, expired or used code
   */
  verify(
    session: HostedSessionValue,
    typed: string,
    clientAddress: string,
  ): Promise<string | null> {
    return this.attempt(session, clientAddress, (tx) => this.codes.try(tx, session, typed));
  }

  /**
   * For a double click: the response with the new token may be lost.
   * @param token the previous one
   */
  async verifyAgain(token: string, typed: string, clientAddress: string): Promise<string | null> {
    const session = await this.sessions.findRenewed(token);
    if (!session) return null;
    return this.attempt(session, clientAddress, (tx) => this.codes.tryAgain(tx, session, typed));
  }

  private attempt(
    session: HostedSessionValue,
    clientAddress: string,
    isRight: (tx: Tx) => Promise<boolean>,
  ): Promise<string | null> {
    return this.database.transaction(async (tx) => {
      // Erasure locks in this order, too.
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
