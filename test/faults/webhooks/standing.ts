import type { Pool } from 'pg';

/** How things stand in the run's database. */
export class Standing {
  private readonly pool: Pool;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  async ofDeliveries(broken: readonly string[]): Promise<{ open: number; progress: string }> {
    const { rows } = await this.pool.query<{ open: number; progress: string }>(OPEN, [broken]);
    return rows[0];
  }

  async parked(): Promise<number> {
    const { rows } = await this.pool.query<{ parked: number }>(PARKED);
    return rows[0]?.parked ?? 0;
  }

  async isAnyUndrained(): Promise<boolean> {
    const { rowCount } = await this.pool.query(UNDRAINED);
    return rowCount !== 0;
  }

  async figures(): Promise<Record<string, number>> {
    const { rows } = await this.pool.query<Record<string, number>>(FIGURES);
    return rows[0];
  }
}

const OPEN = `
  SELECT count(*) FILTER (WHERE NOT (substring(s.url from '[a-z]+$') = ANY ($1)))::int AS open,
    concat_ws(' ', count(*), sum(q.attempts), (SELECT count(*) FROM journey_audit)) AS progress
  FROM webhook_queue q JOIN webhook_subscriptions s ON s.id = q.subscription_id
`;

const UNDRAINED = `
  SELECT FROM webhook_lanes WHERE drain_since IS NOT NULL AND is_active AND probe_at IS NULL
`;

const PARKED = `
  SELECT count(*)::int AS parked FROM webhook_queue q
  JOIN webhook_lanes l ON l.subscription_id = q.subscription_id WHERE NOT l.is_active
`;

const FIGURES = `
  SELECT (SELECT count(*) FROM webhook_events WHERE journey_id IS NOT NULL)::int AS events,
    (SELECT count(*) FROM webhook_events WHERE journey_id IS NULL)::int AS alerts,
    (SELECT count(*) FROM webhook_deliveries)::int AS deliveries,
    (SELECT count(*) FROM webhook_deliveries WHERE status = 'CANCELLED')::int AS cancelled,
    (SELECT sum(lease_token) FROM webhook_lanes)::int AS "lanesTaken"
`;
