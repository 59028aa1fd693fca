import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';

/** Card payments can usually be disputed for 120 days. */
const DAYS_KEPT = 180;

interface Chunk {
  readonly last: number | null;
  readonly old: number;
}

/**
 * Keeps `payments`, `payment_orders`, `payment_audit` and all rows of open orders, to recognise duplicates. Gateways
 * repeat events for about a day.
 */
@Injectable()
export class PaymentUpkeepRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param after the end of the previous chunk; 0 for the first
   * @returns the end of this chunk; null when the next rows are too young
   */
  removeNotices(most: number, after: number): Promise<number | null> {
    return this.remove(REMOVE_NOTICES, most, after);
  }

  removeCallbacks(most: number, after: number): Promise<number | null> {
    return this.remove(REMOVE_CALLBACKS, most, after);
  }

  private async remove(sql: string, most: number, after: number): Promise<number | null> {
    const [chunk] = await this.database.query<Chunk>(sql, [most, DAYS_KEPT, after]);
    return chunk.old < most ? null : chunk.last;
  }
}

const removal = (table: string, doneAt: string) => `
  WITH time AS MATERIALIZED (SELECT app_now() - $2 * interval '1 day' AS until),
  looked AS MATERIALIZED (
    SELECT id, received_at < time.until AS is_old
    FROM ${table}, time WHERE id > $3 ORDER BY id LIMIT $1
  ),
  removed AS (
    DELETE FROM ${table} WHERE id = ANY (ARRAY(
      SELECT row.id FROM ${table} AS row
      JOIN looked ON looked.id = row.id AND looked.is_old
      JOIN payment_orders o ON o.id = row.order_id
      WHERE row.${doneAt} < (SELECT until FROM time)
        AND o.status NOT IN ('NEW', 'OPEN', 'FAILED')
      ORDER BY row.id FOR UPDATE OF row SKIP LOCKED))
  )
  SELECT max(id) AS last, (count(*) FILTER (WHERE is_old))::int AS old FROM looked
`;

const REMOVE_NOTICES = removal('payment_inbox', 'consumed_at');
const REMOVE_CALLBACKS = removal('payment_callbacks', 'received_at');
