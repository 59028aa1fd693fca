import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Counter } from 'prom-client';
import { messageOf } from '../errors/fault.js';
import { Metrics } from '../metrics/metrics.js';
import { waysOf } from './data-source.js';
import { Database } from './database.js';
import { type Position, POSITION, StandbyPool } from './standby-pool.js';

/** Pauses after a standby was behind, and after it did not answer. */
const BEHIND_MS = 1_000;
const AWAY_MS = 5_000;
const TELL_EVERY_MS = 60_000;

/**
 * Reads on a standby (DATABASE_READ_URL) that has everything committed before the read began,
 * otherwise on the primary (docs/adr/0058). For lists only: a single row is cheaper on the primary.
 */
@Injectable()
export class FreshReads implements OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly standby: StandbyPool | null;
  private readonly answers: Counter<'server'>;
  private leftAloneUntil = Number.NEGATIVE_INFINITY;
  private toldAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Database,
    { registry }: Metrics,
  ) {
    const { readUrl, poolSize } = waysOf(database.dataSource);
    this.standby = readUrl === undefined ? null : new StandbyPool(readUrl, poolSize);
    this.answers = new Counter({
      name: 'database_list_reads_total',
      help: 'Reads of lists by the server that answered, where DATABASE_READ_URL names a standby',
      labelNames: ['server'],
      registers: [registry],
    });
  }

  async query<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    if (this.standby === null) return this.database.query<Row>(sql, values);
    const rows = await this.fromStandby<Row>(this.standby, sql, values);
    this.answers.inc({ server: rows === null ? 'primary' : 'standby' });
    return rows ?? this.database.query<Row>(sql, values);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.standby?.end();
  }

  private async fromStandby<Row extends QueryResultRow>(
    standby: StandbyPool,
    sql: string,
    values: unknown[],
  ): Promise<Row[] | null> {
    if (performance.now() < this.leftAloneUntil) return null;
    const [position] = await this.database.query<Position & Record<string, unknown>>(POSITION);
    try {
      const rows = await standby.read<Row>(position, sql, values);
      if (rows === null) this.leaveAlone(BEHIND_MS);
      return rows;
    } catch (error) {
      this.leaveAlone(AWAY_MS);
      this.tell(error);
      return null;
    }
  }

  private leaveAlone(ms: number): void {
    this.leftAloneUntil = performance.now() + ms;
  }

  /** Without PostgreSQL's message, which may quote a value. */
  private tell(error: unknown): void {
    if (performance.now() - this.toldAt < TELL_EVERY_MS) return;
    this.toldAt = performance.now();
    const { code } = (error ?? {}) as { code?: unknown };
    const why = typeof code === 'string' ? code : messageOf(error);
    this.logger.warn(`The primary answers lists: the standby does not (${why})`);
  }
}
