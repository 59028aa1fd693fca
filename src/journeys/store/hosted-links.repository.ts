import { Injectable } from '@nestjs/common';
import { Columns, Database, dueRows, Tx } from '../../platform/index.js';
import { HostedLink, LinkRequest } from './hosted-access.entity.js';
import { ENTRY_LIMITS, type HostedKey } from './hosted-sessions.repository.js';
import type { OwnedJourney } from './journeys.repository.js';

const columns = new Columns(HostedLink);

const OWNER = columns.selected(['journeyId', 'partnerId']);

export interface HostedLinkState extends HostedKey {
  readonly status: 'FRESH' | 'USED' | 'EXPIRED';
}

@Injectable()
export class HostedLinksRepository {
  async insertAll(
    tx: Tx,
    links: readonly Pick<HostedLink, 'tokenHash' | 'partnerId' | 'journeyId'>[],
  ): Promise<void> {
    const given = columns.list(['tokenHash', 'partnerId', 'journeyId']);
    await tx.execute(
      `INSERT INTO hosted_links (${given}, ${columns.name('expiresAt')})
       SELECT ${given}, app_now() + $2 * interval '24 hours'
       FROM jsonb_populate_recordset(NULL::hosted_links, $1)`,
      [JSON.stringify(links.map((link) => columns.toRecord(link))), ENTRY_LIMITS.linkDays],
    );
  }

  stateOf(tx: Tx, tokenHash: string): Promise<HostedLinkState | null> {
    return tx.first(
      `SELECT CASE WHEN used_at IS NOT NULL THEN 'USED' WHEN expires_at <= app_now() THEN 'EXPIRED'
         ELSE 'FRESH' END AS status, ${OWNER}
       FROM hosted_links WHERE token_hash = $1`,
      [tokenHash],
    );
  }

  use(tx: Tx, tokenHash: string): Promise<HostedKey | null> {
    return tx.first(
      `UPDATE hosted_links SET used_at = app_now()
       WHERE token_hash = $1 AND used_at IS NULL AND expires_at > app_now()
       RETURNING ${OWNER}`,
      [tokenHash],
    );
  }

  async expireAllOf(tx: Tx, { id, partnerId }: OwnedJourney): Promise<void> {
    await tx.execute(
      `UPDATE hosted_links SET expires_at = app_now()
       WHERE journey_id = $1 AND partner_id = $2 AND expires_at > app_now()`,
      [id, partnerId],
    );
  }
}

const requestColumns = new Columns(LinkRequest);

export interface TakenRequest extends Pick<LinkRequest, 'id' | 'subjectSealed' | 'language'> {
  readonly isOld: boolean;
}

@Injectable()
export class LinkRequestsRepository {
  static readonly DUE = dueRows({ table: 'link_requests', at: 'due_at' });

  constructor(private readonly database: Database) {}

  async insert(tx: Tx, request: Pick<LinkRequest, 'subjectSealed' | 'language'>): Promise<void> {
    await tx.repository(LinkRequest).insert(request);
  }

  /** A rollback restores the deleted request. */
  takeNext(tx: Tx, oldAfterSeconds: number): Promise<TakenRequest | null> {
    return tx.first(TAKE_NEXT, [oldAfterSeconds]);
  }

  async postpone(id: number, seconds: number): Promise<void> {
    await this.database.query(
      `UPDATE link_requests SET due_at = app_now() + $2 * interval '1 second' WHERE id = $1`,
      [id, seconds],
    );
  }
}

const TAKE_NEXT = `
  DELETE FROM link_requests WHERE id = (
    SELECT id FROM link_requests WHERE due_at <= app_now()
    ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING ${requestColumns.selected(['id', 'subjectSealed', 'language'])},
    created_at < app_now() - $1 * interval '1 second' AS "isOld"
`;
