import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { clearGauge, Metrics } from '../metrics/metrics.js';
import { SystemClock } from './clock.js';

const SAMPLES = 5;
/** Lenders and partners allow a few minutes at most. */
const UNFIT_FROM_SECONDS = 120;
export const IF_EVERY_REPLICA =
  "If every replica reports this, correct the database host's clock instead";
// `app_now()` can be moved in a sandbox.
const DATABASE_TIME =
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "databaseMs"';

@Injectable()
export class ClockDifference {
  /** Positive: this process is ahead. */
  private lastSeconds: number | null = null;

  constructor(
    private readonly database: Database,
    private readonly clock: SystemClock,
    private readonly metrics: Metrics,
  ) {
    clearGauge(metrics.clockDifference);
  }

  get isUnfit(): boolean {
    return Math.abs(this.lastSeconds ?? 0) >= UNFIT_FROM_SECONDS;
  }

  get description(): string {
    const seconds = this.lastSeconds ?? 0;
    return `${Math.abs(seconds).toFixed(1)} s ${seconds < 0 ? 'behind' : 'ahead of'} the database's`;
  }

  /**
   * Returns seconds.
   * @throws Error when the database does not answer
   */
  async measure(): Promise<number> {
    try {
      this.lastSeconds = await this.secondsAhead();
    } catch (error) {
      clearGauge(this.metrics.clockDifference);
      throw error;
    }
    this.metrics.clockDifference.set(this.lastSeconds);
    return this.lastSeconds;
  }

  private async secondsAhead(): Promise<number> {
    let best = await this.sample();
    for (let samples = 1; samples < SAMPLES; samples += 1) {
      const sample = await this.sample();
      if (sample.roundTripMs < best.roundTripMs) best = sample;
    }
    return best.aheadMs / 1_000;
  }

  private async sample(): Promise<{ aheadMs: number; roundTripMs: number }> {
    const askedMs = this.clock.now().getTime();
    const startedMs = performance.now();
    // A wait for the pool would count as round trip.
    const [{ databaseMs }] = await this.database.queryReserved<{ databaseMs: number }>(
      DATABASE_TIME,
    );
    const roundTripMs = performance.now() - startedMs;
    return { aheadMs: askedMs + roundTripMs / 2 - databaseMs, roundTripMs };
  }
}
