import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Clock, OffsetClock } from './clock.js';

/**
 * Time travel for the sandbox and for tests. One stored offset moves `app_now()` and, in every
 * process, the injected clock; other replicas follow within a second.
 */
@Injectable()
export class SandboxTime {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Moves time by so many milliseconds (negative: back) and answers the new offset. */
  async travel(milliseconds: number): Promise<number> {
    const [row] = await this.database.query<{ offset_ms: number }>(
      'UPDATE sandbox_clock SET offset_ms = offset_ms + $1 RETURNING offset_ms',
      [milliseconds],
    );
    return this.apply(row?.offset_ms ?? 0);
  }

  /** Takes over the stored offset. */
  async follow(): Promise<number> {
    const [row] = await this.database.query<{ offset_ms: number }>(
      'SELECT offset_ms FROM sandbox_clock',
    );
    return this.apply(row?.offset_ms ?? 0);
  }

  private apply(offsetMs: number): number {
    if (this.clock instanceof OffsetClock) this.clock.setOffset(offsetMs);
    return offsetMs;
  }
}
