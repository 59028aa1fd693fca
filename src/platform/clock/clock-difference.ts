import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { clearGauge, Metrics } from '../metrics/metrics.js';
import { SystemClock } from './clock.js';

const SAMPLES = 5;
/** Lenders and partners allow some minutes at most; from here on each call may be refused. */
const UNFIT_FROM_SECONDS = 120;
/** For the log line and the reason of `ready`. */
export const IF_EVERY_REPLICA =
  "If every replica says so, the database host's clock is the wrong one";
// The server's own time: `app_now()` is what a sandbox moves.
const DATABASE_TIME =
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "databaseMs"';

/** How far this process's clock is from the database's, as last measured; neither is a sandbox's moved time. */
@Injectable()
export class ClockDifference {
  /** Positive when this process is ahead; null until it was measured. */
  private lastSeconds: number | null = null;

  constructor(
    private readonly database: Database,
    private readonly clock: SystemClock,
    private readonly metrics: Metrics,
  ) {
    // Until it was measured: a gauge without labels starts at 0.
    clearGauge(metrics.clockDifference);
  }

  /** Whether the clock is too far off to serve; one that was never measured is taken as right. */
  get isUnfit(): boolean {
    return Math.abs(this.lastSeconds ?? 0) >= UNFIT_FROM_SECONDS;
  }

  /** For an operator, as "400.0 s ahead of the database's". */
  get description(): string {
    const seconds = this.lastSeconds ?? 0;
    return `${Math.abs(seconds).toFixed(1)} s ${seconds < 0 ? 'behind' : 'ahead of'} the database's`;
  }

  /**
   * Measures it, in seconds. When the database does not answer, the last result stays, but not in the metric.
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
    // Reserved: a wait for a connection of the pool would count as a round trip.
    const [{ databaseMs }] = await this.database.queryReserved<{ databaseMs: number }>(
      DATABASE_TIME,
    );
    const roundTripMs = performance.now() - startedMs;
    return { aheadMs: askedMs + roundTripMs / 2 - databaseMs, roundTripMs };
  }
}
