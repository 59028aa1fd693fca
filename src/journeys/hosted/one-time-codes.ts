import { Injectable } from '@nestjs/common';
import { equalBytes, IdGenerator, Keyring, RandomSource, type Tx } from '../../platform/index.js';
import type { HostedSessionValue } from './hosted-sessions.js';

export const CODE_DIGITS = 6;
export const CODE_VALID_SECONDS = 300;
const MOST_TRIES = 5;
const SECOND_PRESS_SECONDS = 60;
const PURPOSE = 'one_time_codes.code';
const CODES = 10 ** CODE_DIGITS;
/** Random numbers from here on would make some codes likelier than others. */
const FAIR_BELOW = 2 ** 32 - (2 ** 32 % CODES);

/** A code that was sent for a session. */
export interface SentCode {
  readonly id: string;
  /** Of the message that carries it. */
  readonly smsId: string;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly standing: 'OPEN' | 'USED' | 'EXPIRED' | 'EXHAUSTED';
  readonly triesLeft: number;
}

interface CodeRow {
  id: string;
  code_hash: string;
}

const SELECTED = `id, sms_id AS "smsId", created_at AS "sentAt", expires_at AS "expiresAt",
  greatest(0, ${MOST_TRIES} - tries) AS "triesLeft",
  CASE WHEN used_at IS NOT NULL THEN 'USED' WHEN expires_at <= app_now() THEN 'EXPIRED'
    WHEN tries >= ${MOST_TRIES} THEN 'EXHAUSTED' ELSE 'OPEN' END AS standing`;

const NEWEST = `SELECT id FROM one_time_codes WHERE journey_id = $1 AND session_id = $2
  ORDER BY created_at DESC, id DESC LIMIT 1`;

/**
 * The codes that show that the applicant holds the mobile on record: six digits, five minutes, five
 * tries, kept as keyed hashes. Of a session the newest code alone counts, and a try is counted
 * before it is looked at, so no number of replicas or of requests at once can try more.
 */
@Injectable()
export class OneTimeCodes {
  constructor(
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
    private readonly random: RandomSource,
  ) {}

  /** A fresh code that is not on record yet: the only time that it is in the clear. */
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
    await tx.execute(
      `INSERT INTO one_time_codes (id, partner_id, journey_id, session_id, code_hash, sms_id,
         created_at, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, t.now, t.now + $7 * interval '1 second'
       FROM (SELECT app_now() AS now) t`,
      [
        id,
        session.partnerId,
        session.journeyId,
        session.sessionId,
        this.keyring.lookupHash(`${id}:${code}`, PURPOSE),
        smsId,
        CODE_VALID_SECONDS,
      ],
    );
  }

  /** The newest code of a session; null when none was sent. */
  async newest(tx: Tx, { journeyId, sessionId }: HostedSessionValue): Promise<SentCode | null> {
    const [row] = await tx.query<SentCode>(
      `SELECT ${SELECTED} FROM one_time_codes WHERE id = (${NEWEST})`,
      [journeyId, sessionId],
    );
    return row ?? null;
  }

  /** Counts a try at the newest code, and uses it up when it is the one. */
  async try(tx: Tx, { journeyId, sessionId }: HostedSessionValue, typed: string): Promise<boolean> {
    const [row] = await tx.query<CodeRow>(
      `UPDATE one_time_codes SET tries = tries + 1
       WHERE id = (${NEWEST}) AND used_at IS NULL AND expires_at > app_now()
         AND tries < ${MOST_TRIES}
       RETURNING id, code_hash`,
      [journeyId, sessionId],
    );
    if (!row || !this.isIt(row, typed)) return false;
    await tx.execute('UPDATE one_time_codes SET used_at = app_now() WHERE id = $1', [row.id]);
    return true;
  }

  /** The same code sent off twice in a moment; counted, too. */
  async tryAgain(
    tx: Tx,
    { journeyId, sessionId }: HostedSessionValue,
    typed: string,
  ): Promise<boolean> {
    const [row] = await tx.query<CodeRow>(
      `UPDATE one_time_codes SET tries = tries + 1
       WHERE id = (${NEWEST}) AND tries < ${MOST_TRIES}
         AND used_at > app_now() - interval '${SECOND_PRESS_SECONDS} seconds'
       RETURNING id, code_hash`,
      [journeyId, sessionId],
    );
    return row !== undefined && this.isIt(row, typed);
  }

  private isIt({ id, code_hash }: CodeRow, typed: string): boolean {
    return this.keyring
      .lookupHashes(`${id}:${typed}`, PURPOSE)
      .some((hash) => equalBytes(Buffer.from(hash), Buffer.from(code_hash)));
  }
}
