import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { appNow, Columns, Database, type Tx } from '../../platform/index.js';
import { HostedSession } from './hosted-access.entity.js';
import type { OwnedJourney } from './journeys.repository.js';

const columns = new Columns(HostedSession);

/** The pages quote these figures. */
export const ENTRY_LIMITS = {
  linkDays: 3,
  linksAnHour: 3,
  codeMinutes: 5,
  /** Wrong entries that void a code. */
  codeTries: 5,
  sessionIdleMinutes: 30,
};

const VALID_HOURS = 12;
/** For double clicks; later, an earlier token is void. */
const SECOND_PRESS_SECONDS = 60;

export interface HostedKey {
  readonly partnerId: string;
  readonly journeyId: string;
}

export interface HostedSessionValue extends HostedKey {
  readonly sessionId: string;
}

export interface OpenHostedSession extends HostedSessionValue {
  /** Until the code is entered the browser is anonymous. */
  readonly isVerified: boolean;
}

type NewHostedSession = Pick<
  HostedSession,
  'id' | 'partnerId' | 'journeyId' | 'tokenHash' | 'linkHash' | 'browserHash'
>;

const SELECTED = `id AS "sessionId", ${columns.selected(['partnerId', 'journeyId'])},
  verified_at IS NOT NULL AS "isVerified"`;

function live(place: number): string {
  return `ended_at IS NULL AND expires_at > app_now()
  AND last_seen_at > app_now() - $${place} * interval '1 minute'`;
}

const GIVEN = columns.list([
  'id',
  'partnerId',
  'journeyId',
  'tokenHash',
  'linkHash',
  'browserHash',
]);

/**
 * A session expires after minutes without use or half a day, or when the applicant signs in elsewhere. Tokens are
 * given as hashes.
 */
@Injectable()
export class HostedSessionsRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Tx, session: NewHostedSession): Promise<void> {
    await tx.execute(
      `INSERT INTO hosted_sessions (${GIVEN},
         ${columns.list(['createdAt', 'lastSeenAt', 'expiresAt'])})
       SELECT ${GIVEN}, t.now, t.now, t.now + $2 * interval '1 hour'
       FROM jsonb_populate_record(NULL::hosted_sessions, $1), (SELECT app_now() AS now) t`,
      [JSON.stringify(columns.toRecord(session)), VALID_HOURS],
    );
  }

  /**
   * Replaces the token of the session that this browser has just opened by the link. Null when there is none, or it
   * is signed in.
   */
  renew(
    tx: Tx,
    { linkHash, browserHash, tokenHash }: Omit<NewHostedSession, 'id' | 'partnerId' | 'journeyId'>,
  ): Promise<HostedSessionValue | null> {
    return tx.first(
      `UPDATE hosted_sessions SET token_hash = $3
       WHERE link_hash = $1 AND browser_hash = $2 AND verified_at IS NULL AND ${live(4)}
         AND created_at > app_now() - interval '${SECOND_PRESS_SECONDS} seconds'
       RETURNING ${SELECTED}`,
      [linkHash, browserHash, tokenHash, ENTRY_LIMITS.sessionIdleMinutes],
    );
  }

  async find(tokenHash: string): Promise<OpenHostedSession | null> {
    const [row] = await this.database.prepared<OpenHostedSession & { isStale: boolean }>(
      'hosted-session',
      `SELECT ${SELECTED}, last_seen_at < app_now() - interval '1 minute' AS "isStale"
       FROM hosted_sessions WHERE token_hash = $1 AND ${live(2)}`,
      [tokenHash, ENTRY_LIMITS.sessionIdleMinutes],
    );
    if (!row) return null;
    if (row.isStale) {
      await this.database.with(HostedSession, (sessions) =>
        sessions.update({ id: row.sessionId }, { lastSeenAt: appNow }),
      );
    }
    return row;
  }

  async findEver(tokenHash: string): Promise<HostedSession | null> {
    return this.database.with(HostedSession, (sessions) => sessions.findOneBy({ tokenHash }));
  }

  findRenewed(previousTokenHash: string): Promise<HostedSessionValue | null> {
    return this.database.first<OpenHostedSession>(
      `SELECT ${SELECTED} FROM hosted_sessions
       WHERE previous_token_hash = $1 AND ${live(2)}
         AND verified_at > app_now() - interval '${SECOND_PRESS_SECONDS} seconds'`,
      [previousTokenHash, ENTRY_LIMITS.sessionIdleMinutes],
    );
  }

  async verify(
    tx: Tx,
    { sessionId, journeyId }: HostedSessionValue,
    tokenHash: string,
  ): Promise<void> {
    await tx.execute(
      `UPDATE hosted_sessions SET token_hash = $2, last_seen_at = app_now(),
         previous_token_hash = coalesce(previous_token_hash, token_hash),
         verified_at = coalesce(verified_at, app_now())
       WHERE id = $1`,
      [sessionId, tokenHash],
    );
    await tx.execute(
      `UPDATE hosted_sessions SET ended_at = app_now()
       WHERE journey_id = $1 AND id <> $2 AND verified_at IS NOT NULL AND ended_at IS NULL`,
      [journeyId, sessionId],
    );
  }

  async endAllOf(tx: Tx, { id: journeyId, partnerId }: OwnedJourney): Promise<void> {
    await tx.update(
      HostedSession,
      { journeyId, partnerId, endedAt: IsNull() },
      { endedAt: appNow },
    );
  }

  async deleteOld(tx: Tx, most: number): Promise<void> {
    await tx.execute(DELETE_OLD, [most]);
  }
}

const DELETE_OLD = `
  DELETE FROM hosted_sessions WHERE id IN (
    SELECT id FROM hosted_sessions
    WHERE expires_at <= app_now() - interval '30 days'
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
`;
