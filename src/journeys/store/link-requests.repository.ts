import { Injectable } from '@nestjs/common';
import { Columns, Database, type DueQuery, type Tx } from '../../platform/index.js';
import { LinkRequest } from './link-request.entity.js';

const columns = new Columns(LinkRequest);

export interface TakenRequest extends Pick<LinkRequest, 'id' | 'subjectSealed' | 'language'> {
  readonly isOld: boolean;
}

@Injectable()
export class LinkRequestsRepository {
  static readonly DUE: DueQuery = (now) =>
    `SELECT true FROM link_requests WHERE due_at <= ${now} ORDER BY due_at, id LIMIT 1`;

  constructor(private readonly database: Database) {}

  async insert(tx: Tx, request: Pick<LinkRequest, 'subjectSealed' | 'language'>): Promise<void> {
    await tx.repository(LinkRequest).insert(request);
  }

  /** Deletes the next due request; a rollback restores it. */
  async takeNext(tx: Tx, oldAfterSeconds: number): Promise<TakenRequest | null> {
    const [request] = await tx.query<TakenRequest>(TAKE_NEXT, [oldAfterSeconds]);
    return request ?? null;
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
  RETURNING ${columns.selected(undefined, ['id', 'subjectSealed', 'language'])},
    created_at < app_now() - $1 * interval '1 second' AS "isOld"
`;
