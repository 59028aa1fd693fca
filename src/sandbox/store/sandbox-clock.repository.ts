import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Database } from '../../platform/index.js';

/** The offset by which the sandbox's time is moved. */
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

  /** Moves it by so many milliseconds; answers the new offset. */
  async move(milliseconds: number): Promise<number> {
    const [clock] = await this.database.query<{ offsetMs: number }>(
      'UPDATE sandbox_clock SET offset_ms = offset_ms + $1 RETURNING offset_ms AS "offsetMs"',
      [milliseconds],
    );
    return clock?.offsetMs ?? 0;
  }
}

/** Has `app_now()` follow the stored offset: in a sandbox's database alone. */
export async function installSandboxClock(dataSource: DataSource): Promise<void> {
  await dataSource.query(`
    INSERT INTO sandbox_clock DEFAULT VALUES ON CONFLICT DO NOTHING;
    CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
      SELECT clock_timestamp() + (SELECT offset_ms FROM sandbox_clock) * interval '1 millisecond'
    $$;
  `);
}
