import { Injectable } from '@nestjs/common';
import { Database, type DueWork } from '../../platform/index.js';
import { Application, LeadCount, LeadCountDelta } from './application.entity.js';

const BATCH = 10_000;

/** Counts plus pending deltas stay constant, so readers never notice a fold. */
@Injectable()
export class LeadCountsRepository {
  static readonly CHANGES: DueWork = {
    isDue: () => 'SELECT true FROM lead_count_deltas ORDER BY partner_id LIMIT 1',
  };

  constructor(private readonly database: Database) {}

  partnersWithChanges(): Promise<string[]> {
    return this.database.column<string>(PARTNERS_WITH_CHANGES);
  }

  /** @returns whether there may be more; false when another process folds this partner */
  async fold(partnerId: string, batch = BATCH): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      // The next statement's snapshot is taken under the lock.
      const [{ isLocked }] = await tx.query<{ isLocked: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('lead-counts:' || $1, 0)) AS "isLocked"`,
        [partnerId],
      );
      if (!isLocked) return false;
      const [{ folded }] = await tx.query<{ folded: number }>(FOLD, [partnerId, batch]);
      return folded === batch;
    });
  }
}

// Skips from partner to partner, so cost does not depend on the backlog.
const PARTNERS_WITH_CHANGES = `
  WITH RECURSIVE leap AS (
    (SELECT partner_id FROM lead_count_deltas ORDER BY partner_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.partner_id FROM lead_count_deltas AS d WHERE d.partner_id > leap.partner_id
            ORDER BY d.partner_id LIMIT 1)
    FROM leap WHERE leap.partner_id IS NOT NULL
  )
  SELECT partner_id AS id FROM leap WHERE partner_id IS NOT NULL
`;

const FOLD = `
  WITH taken AS (
    DELETE FROM lead_count_deltas WHERE partner_id = $1 AND id = ANY (ARRAY(
      SELECT id FROM lead_count_deltas WHERE partner_id = $1 ORDER BY id LIMIT $2))
    RETURNING loan_type, status, day, change
  ),
  folded AS (
    INSERT INTO lead_counts AS c (partner_id, loan_type, status, day, leads)
    SELECT $1, coalesce(loan_type, ''), coalesce(status, ''), day, sum(change)
    FROM taken GROUP BY day, CUBE (loan_type, status) HAVING sum(change) <> 0
    ON CONFLICT (partner_id, loan_type, status, day) DO UPDATE SET leads = c.leads + excluded.leads
  )
  SELECT count(*) AS folded FROM taken
`;

export const LEAD_ENTITIES = [Application, LeadCountDelta, LeadCount];
