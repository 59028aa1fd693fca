import { Injectable, type OnModuleInit, Global, Module } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { clearGauge, Database, Metrics, ScheduledTask } from '../platform/index.js';
import { FLAG_KINDS } from './flag-catalogue.js';
import { OperatorFlags } from './store/operator-flags.js';

const GAUGE_EVERY_MS = 15_000;

/** Counts in the database, so every replica reports the same. */
@Injectable()
export class OperatorFlagMetrics implements OnModuleInit {
  private readonly open: Gauge<'kind'>;

  constructor(
    metrics: Metrics,
    private readonly database: Database,
    private readonly flags: OperatorFlags,
  ) {
    this.open = metrics.gauge('operator_flags_open', 'Open flags, by kind', ['kind']);
  }

  async onModuleInit(): Promise<void> {
    await this.measure();
  }

  @ScheduledTask('operator-flags-open', GAUGE_EVERY_MS)
  async measure(): Promise<void> {
    // Reports no value while the database is unreachable.
    const counts = await this.database
      .transaction((tx) => this.flags.countOpen(tx))
      .finally(() => clearGauge(this.open));
    for (const kind of FLAG_KINDS) this.open.set({ kind }, 0);
    for (const { kind, count } of counts) this.open.set({ kind }, count);
  }
}

/** Global: every module may raise a flag. */
@Global()
@Module({ providers: [OperatorFlags, OperatorFlagMetrics], exports: [OperatorFlags] })
export class OperatorFlagsModule {}
