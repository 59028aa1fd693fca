import { Injectable } from '@nestjs/common';
import { Database, IdGenerator, RandomSource, sha256, type Tx } from '../../platform/index.js';
import type { HostedKey } from './hosted-view.js';

const IDLE_MINUTES = 30;
const VALID_HOURS = 12;
/** A second press of a button comes within moments; after that a token of before is nothing. */
const SECOND_PRESS_SECONDS = 60;

/** A browser that came through a link of ours, before or after the applicant has signed in. */
export interface HostedSessionValue extends HostedKey {
  readonly sessionId: string;
}

export interface OpenHostedSession extends HostedSessionValue {
  /** Whether the code was given: before that the browser is nobody. */
  readonly isVerified: boolean;
}

const SELECTED = `id AS "sessionId", partner_id AS "partnerId", journey_id AS "journeyId",
  verified_at IS NOT NULL AS "isVerified"`;

const LIVE = `ended_at IS NULL AND expires_at > app_now()
  AND last_seen_at > app_now() - interval '${IDLE_MINUTES} minutes'`;

/**
 * The browser sessions of the hosted screens. Tokens are stored as hashes; a session ends when it
 * was not used for half an hour, after half a day, or when the applicant signs in elsewhere.
 */
@Injectable()
export class HostedSessions {
  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly random: RandomSource,
  ) {}

  /**
   * Opens a session for a link that was just used up.
   * @param browser what tells the browser from others, so that its second press is known
   * @returns the token: the only time that it is in the clear
   */
  async open(
    tx: Tx,
    { partnerId, journeyId }: HostedKey,
    link: string,
    browser: string,
  ): Promise<{ session: HostedSessionValue; token: string }> {
    const token = this.random.token();
    const sessionId = this.ids.next('ses');
    await tx.execute(
      `INSERT INTO hosted_sessions (id, partner_id, journey_id, token_hash, link_hash,
         browser_hash, created_at, last_seen_at, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, t.now, t.now, t.now + $7 * interval '1 hour'
       FROM (SELECT app_now() AS now) t`,
      [sessionId, partnerId, journeyId, sha256(token), sha256(link), sha256(browser), VALID_HOURS],
    );
    return { session: { partnerId, journeyId, sessionId }, token };
  }

  /**
   * The same browser pressed the link's button twice, and may never have seen the first answer: it
   * gets a token once more. Null when it was another browser, or too long ago.
   */
  async openedAgain(
    tx: Tx,
    link: string,
    browser: string,
  ): Promise<{ session: HostedSessionValue; token: string } | null> {
    const token = this.random.token();
    const [session] = await tx.query<HostedSessionValue>(
      `UPDATE hosted_sessions SET token_hash = $3
       WHERE link_hash = $1 AND browser_hash = $2 AND verified_at IS NULL AND ${LIVE}
         AND created_at > app_now() - interval '${SECOND_PRESS_SECONDS} seconds'
       RETURNING ${SELECTED}`,
      [sha256(link), sha256(browser), sha256(token)],
    );
    return session ? { session, token } : null;
  }

  /** The live session of a token; that it was used counts as a sign of life. */
  async find(token: string): Promise<OpenHostedSession | null> {
    const [row] = await this.database.prepared<OpenHostedSession & { isStale: boolean }>(
      'hosted-session',
      `SELECT ${SELECTED}, last_seen_at < app_now() - interval '1 minute' AS "isStale"
       FROM hosted_sessions WHERE token_hash = $1 AND ${LIVE}`,
      [sha256(token)],
    );
    if (!row) return null;
    if (row.isStale) {
      await this.database.query(
        'UPDATE hosted_sessions SET last_seen_at = app_now() WHERE id = $1',
        [row.sessionId],
      );
    }
    return row;
  }

  /** Whose session a token once was, be it over or not; null when it never was one. */
  async ownerOf(token: string): Promise<HostedKey | null> {
    const [row] = await this.database.query<{ partnerId: string; journeyId: string }>(
      `SELECT partner_id AS "partnerId", journey_id AS "journeyId" FROM hosted_sessions
       WHERE token_hash = $1`,
      [sha256(token)],
    );
    return row ?? null;
  }

  /** The session that this token stood for until a moment ago, when it was renewed at the sign-in. */
  async findRenewed(token: string): Promise<HostedSessionValue | null> {
    const [row] = await this.database.query<OpenHostedSession & Record<string, unknown>>(
      `SELECT ${SELECTED} FROM hosted_sessions
       WHERE previous_token_hash = $1 AND ${LIVE}
         AND verified_at > app_now() - interval '${SECOND_PRESS_SECONDS} seconds'`,
      [sha256(token)],
    );
    return row ?? null;
  }

  /**
   * Signs the applicant in under a new token, and out wherever else they are signed in.
   * @returns the new token
   */
  async verify(tx: Tx, { sessionId, journeyId }: HostedSessionValue): Promise<string> {
    const token = this.random.token();
    await tx.execute(
      `UPDATE hosted_sessions SET token_hash = $2, last_seen_at = app_now(),
         previous_token_hash = coalesce(previous_token_hash, token_hash),
         verified_at = coalesce(verified_at, app_now())
       WHERE id = $1`,
      [sessionId, sha256(token)],
    );
    await tx.execute(
      `UPDATE hosted_sessions SET ended_at = app_now()
       WHERE journey_id = $1 AND id <> $2 AND verified_at IS NOT NULL AND ended_at IS NULL`,
      [journeyId, sessionId],
    );
    return token;
  }

  async end(tx: Tx, { sessionId }: HostedSessionValue): Promise<void> {
    await tx.execute(
      'UPDATE hosted_sessions SET ended_at = app_now() WHERE id = $1 AND ended_at IS NULL',
      [sessionId],
    );
  }
}
