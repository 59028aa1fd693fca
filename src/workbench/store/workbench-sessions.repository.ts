import { Injectable } from '@nestjs/common';
import { Columns, Database, type Tx } from '../../platform/index.js';
import { WorkbenchSession } from './workbench-session.entity.js';

export const WORKBENCH_ENTITIES = [WorkbenchSession];

const columns = new Columns(WorkbenchSession);

export const WORKBENCH_LIMITS = { linkMinutes: 5, sessionHours: 8 };
const KEPT_DAYS = 2;

type NewWorkbenchLink = Pick<WorkbenchSession, 'linkHash' | 'partnerId' | 'keyId'>;

export type LinkStatus = 'FRESH' | 'USED' | 'EXPIRED';

export type OpenWorkbenchSession = Pick<WorkbenchSession, 'linkHash' | 'partnerId' | 'keyId'> & {
  readonly expiresAt: Date;
};

/** Uses PostgreSQL's clock, not `app_now()`: moving the sandbox's time ends no session. */
@Injectable()
export class WorkbenchSessionsRepository {
  constructor(private readonly database: Database) {}

  /** @returns when the link expires */
  async insertLink(tx: Tx, link: NewWorkbenchLink): Promise<Date> {
    const [{ linkExpiresAt }] = await tx.query<Pick<WorkbenchSession, 'linkExpiresAt'>>(
      `INSERT INTO workbench_sessions
         (${columns.list(['linkHash', 'partnerId', 'keyId', 'createdAt', 'linkExpiresAt'])})
       VALUES ($1, $2, $3, now(), now() + $4 * interval '1 minute')
       RETURNING ${columns.selected(['linkExpiresAt'])}`,
      [link.linkHash, link.partnerId, link.keyId, WORKBENCH_LIMITS.linkMinutes],
    );
    return linkExpiresAt;
  }

  /** Does not use the link up. */
  statusOf(linkHash: string): Promise<LinkStatus | null> {
    return this.database.value<LinkStatus>(
      `SELECT CASE WHEN opened_at IS NOT NULL THEN 'USED' WHEN link_expires_at <= now() THEN 'EXPIRED'
         ELSE 'FRESH' END AS status
       FROM workbench_sessions WHERE link_hash = $1`,
      [linkHash],
    );
  }

  /** @returns null when the link is not fresh */
  open(tx: Tx, linkHash: string, tokenHash: string): Promise<OpenWorkbenchSession | null> {
    return tx.first(
      `UPDATE workbench_sessions SET token_hash = $2, opened_at = now(),
         expires_at = now() + $3 * interval '1 hour'
       WHERE link_hash = $1 AND opened_at IS NULL AND link_expires_at > now()
       RETURNING ${SELECTED}`,
      [linkHash, tokenHash, WORKBENCH_LIMITS.sessionHours],
    );
  }

  async find(tokenHash: string): Promise<OpenWorkbenchSession | null> {
    const [row] = await this.database.prepared<OpenWorkbenchSession>(
      'workbench-session',
      `SELECT ${SELECTED} FROM workbench_sessions
       WHERE token_hash = $1 AND ended_at IS NULL AND expires_at > now()`,
      [tokenHash],
    );
    return row ?? null;
  }

  async end(tx: Tx, linkHash: string): Promise<void> {
    await tx.execute(
      'UPDATE workbench_sessions SET ended_at = now() WHERE link_hash = $1 AND ended_at IS NULL',
      [linkHash],
    );
  }

  async deleteOld(tx: Tx, most: number): Promise<void> {
    await tx.execute(DELETE_OLD, [KEPT_DAYS, most]);
  }
}

const SELECTED = columns.selected(['linkHash', 'partnerId', 'keyId', 'expiresAt']);

const DELETE_OLD = `
  DELETE FROM workbench_sessions WHERE link_hash IN (
    SELECT link_hash FROM workbench_sessions
    WHERE created_at <= now() - $1 * interval '1 day'
    ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
`;
