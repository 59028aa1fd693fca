import { Injectable } from '@nestjs/common';
import { appNow, Columns, type Tx } from '../../platform/index.js';
import { ENTRY_LIMITS, type HostedSessionValue } from './hosted-sessions.repository.js';
import type { OwnedJourney } from './journeys.repository.js';
import { OneTimeCode } from './hosted-access.entity.js';

const columns = new Columns(OneTimeCode);

const SECOND_PRESS_SECONDS = 60;

export interface SentCode extends Pick<OneTimeCode, 'id' | 'smsId' | 'expiresAt'> {
  readonly sentAt: Date;
  readonly status: 'OPEN' | 'USED' | 'EXPIRED' | 'EXHAUSTED';
  readonly triesLeft: number;
}

export type TriedCode = Pick<OneTimeCode, 'id' | 'codeHash'>;

type NewCode = Pick<
  OneTimeCode,
  'id' | 'partnerId' | 'journeyId' | 'sessionId' | 'codeHash' | 'smsId'
>;

const GIVEN = columns.list(['id', 'partnerId', 'journeyId', 'sessionId', 'codeHash', 'smsId']);

const SENT = `${columns.selected(['id', 'smsId', 'expiresAt'])}, created_at AS "sentAt",
  greatest(0, $3 - tries) AS "triesLeft",
  CASE WHEN used_at IS NOT NULL THEN 'USED' WHEN expires_at <= app_now() THEN 'EXPIRED'
    WHEN tries >= $3 THEN 'EXHAUSTED' ELSE 'OPEN' END AS status`;

const TRIED = columns.selected(['id', 'codeHash']);

const NEWEST = `SELECT id FROM one_time_codes WHERE journey_id = $1 AND session_id = $2
  ORDER BY created_at DESC, id DESC LIMIT 1`;

/**
 * Only a session's newest code counts. An attempt is counted before the check, so parallel requests gain none.
 */
@Injectable()
export class OneTimeCodesRepository {
  static readonly PERSONAL_COLUMNS = columns.qualified(['codeHash']);

  async insert(tx: Tx, code: NewCode): Promise<void> {
    await tx.execute(
      `INSERT INTO one_time_codes (${GIVEN}, ${columns.list(['createdAt', 'expiresAt'])})
       SELECT ${GIVEN}, t.now, t.now + $2 * interval '1 minute'
       FROM jsonb_populate_record(NULL::one_time_codes, $1), (SELECT app_now() AS now) t`,
      [JSON.stringify(columns.toRecord(code)), ENTRY_LIMITS.codeMinutes],
    );
  }

  newest(tx: Tx, { journeyId, sessionId }: HostedSessionValue): Promise<SentCode | null> {
    return tx.first(`SELECT ${SENT} FROM one_time_codes WHERE id = (${NEWEST})`, [
      journeyId,
      sessionId,
      ENTRY_LIMITS.codeTries,
    ]);
  }

  /** Null when no code can be tried. */
  try(tx: Tx, { journeyId, sessionId }: HostedSessionValue): Promise<TriedCode | null> {
    return tx.first(
      `UPDATE one_time_codes SET tries = tries + 1
       WHERE id = (${NEWEST}) AND used_at IS NULL AND expires_at > app_now()
         AND tries < $3
       RETURNING ${TRIED}`,
      [journeyId, sessionId, ENTRY_LIMITS.codeTries],
    );
  }

  /** For a code that was used a moment ago. */
  tryUsed(tx: Tx, { journeyId, sessionId }: HostedSessionValue): Promise<TriedCode | null> {
    return tx.first(
      `UPDATE one_time_codes SET tries = tries + 1
       WHERE id = (${NEWEST}) AND tries < $3
         AND used_at > app_now() - interval '${SECOND_PRESS_SECONDS} seconds'
       RETURNING ${TRIED}`,
      [journeyId, sessionId, ENTRY_LIMITS.codeTries],
    );
  }

  async markUsed(tx: Tx, { id }: TriedCode): Promise<void> {
    await tx.update(OneTimeCode, { id }, { usedAt: appNow });
  }

  /** @returns how many there were */
  async deleteAllOf(tx: Tx, { id: journeyId, partnerId }: OwnedJourney): Promise<number> {
    const { affected } = await tx.repository(OneTimeCode).delete({ journeyId, partnerId });
    return affected ?? 0;
  }

  async deleteOld(tx: Tx, most: number): Promise<void> {
    await tx.execute(DELETE_OLD, [most]);
  }
}

const DELETE_OLD = `
  DELETE FROM one_time_codes WHERE id IN (
    SELECT id FROM one_time_codes
    WHERE expires_at <= app_now() - interval '1 day'
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
`;
