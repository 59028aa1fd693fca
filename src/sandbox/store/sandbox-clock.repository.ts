import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Database, Fault, type KeptByReset, sessionClient, within } from '../../platform/index.js';
import { SandboxClock } from './sandbox.entity.js';

/** Held while time is moved; an arbitrary number. */
export const TRAVEL_LOCK = 7_415_275;
const QUERY_MS = 5_000;
const END_MS = 1_000;

/** Notified when time was moved. */
export const CHANNEL = 'sandbox_time_moved';

/** Returns the new offset. */
export type MoveClock = (milliseconds: number) => Promise<number>;

@Injectable()
export class SandboxClockRepository {
  constructor(private readonly database: Database) {}

  async offset(): Promise<number> {
    const [clock] = await this.database.prepared<{ offsetMs: number }>(
      'sandbox-clock',
      'SELECT offset_ms AS "offsetMs" FROM sandbox_clock',
    );
    return clock?.offsetMs ?? 0;
  }

  async move(milliseconds: number): Promise<number> {
    return (await this.database.value<number>(MOVE, [milliseconds])) ?? 0;
  }

  /**
   * Only one call moves time. The lock belongs to the connection of `work`.
   * @throws Fault time_travel_in_progress
   */
  async alone<Result>(work: (move: MoveClock) => Promise<Result>): Promise<Result> {
    const client = sessionClient(this.database.dataSource, {
      application_name: 'rinpath-time-travel',
      query_timeout: QUERY_MS,
      keepAlive: true,
    });
    try {
      await client.connect();
      const { rows } = await client.query<{ isFree: boolean }>(
        'SELECT pg_try_advisory_lock($1) AS "isFree"',
        [TRAVEL_LOCK],
      );
      if (!rows[0].isFree) throw new Fault('time_travel_in_progress', { retryAfterSeconds: 1 });
      return await work(async (milliseconds) => {
        const moved = await client.query<{ offsetMs: number }>(MOVE, [milliseconds]);
        return moved.rows[0]?.offsetMs ?? 0;
      });
    } finally {
      await within(
        END_MS,
        client.end().catch(() => undefined),
        () => undefined,
      );
    }
  }
}

const MOVE =
  'UPDATE sandbox_clock SET offset_ms = offset_ms + $1 RETURNING offset_ms AS "offsetMs"';

/** Makes `app_now()` follow the stored offset; only for a sandbox's database. */
export async function installSandboxClock(dataSource: DataSource): Promise<void> {
  await dataSource.query(`
    INSERT INTO sandbox_clock DEFAULT VALUES ON CONFLICT DO NOTHING;
    CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
      SELECT clock_timestamp() + (SELECT offset_ms FROM sandbox_clock) * interval '1 millisecond'
    $$;
  `);
}

/** Waits for a call that moves time. */
export const SANDBOX_KEPT: KeptByReset = {
  entities: [SandboxClock],
  before: `
    DO $$
    BEGIN
      PERFORM pg_advisory_xact_lock(${TRAVEL_LOCK});
      UPDATE sandbox_clock SET offset_ms = 0;
      PERFORM pg_notify('${CHANNEL}', '');
    END
    $$`,
};
