import { Injectable, Logger, Module } from '@nestjs/common';
import { NO_PARTNER, OperatorFlags } from '../operator-flags/index.js';
import { attempt, Database, inChunks } from '../platform/index.js';
import {
  keptFrom,
  keyBeforeAll,
  type PartitionedTable,
  rangesFrom,
  type TimeRange,
} from './partitioned-table.js';
import { type Partition, PartitionsRepository } from './store/partitions.repository.js';

const KEYS_PER_CHUNK = 1_000;
const DROP_BATCH = 4;
/** Each holds a connection. */
const PARALLEL_DROPS = 4;
const CHECKED_AHEAD = 2;

/** Safe on any number of replicas. */
@Injectable()
export class PartitionUpkeep {
  private readonly logger = new Logger(PartitionUpkeep.name);

  constructor(
    private readonly partitions: PartitionsRepository,
    private readonly database: Database,
    private readonly flags: OperatorFlags,
  ) {}

  /** Fast enough for the start of a process. */
  async makeAhead(table: PartitionedTable): Promise<void> {
    const now = await this.partitions.now();
    const made = await this.partitions.list(table);
    for (const range of rangesFrom(table, now).filter((one) => !isMade(made, one))) {
      await this.try(() => this.partitions.make(table, range));
    }
    await this.flagMissing(table, now);
  }

  async keep(table: PartitionedTable): Promise<void> {
    await this.makeAhead(table);
    const until = keptFrom(table, await this.partitions.now());
    const made = await this.partitions.list(table);
    for (const one of made.filter(hasNoBeginning)) {
      await this.try(() => this.sweep(table, one, until));
    }
    const old = made.filter(({ to }) => to !== null && to <= until);
    await Promise.all(Array.from({ length: PARALLEL_DROPS }, () => this.dropAll(table, old)));
  }

  /** A partition without a start may be the whole old table. */
  private sweep(table: PartitionedTable, one: Partition, until: number): Promise<void> {
    return inChunks(keyBeforeAll(table), (after) =>
      this.partitions.sweep(table, one, { after, until, most: KEYS_PER_CHUNK }),
    );
  }

  private async dropAll(table: PartitionedTable, old: Partition[]): Promise<void> {
    while (old.length > 0) await this.drop(table, old.splice(0, DROP_BATCH));
  }

  /** Together is much faster. */
  private async drop(table: PartitionedTable, few: readonly Partition[]): Promise<void> {
    const outcome = { isGone: false };
    await this.try(async () => {
      outcome.isGone = await this.partitions.drop(table, few);
    });
    if (outcome.isGone || few.length === 1) return;
    for (const one of few) await this.try(() => this.partitions.drop(table, [one]));
  }

  private async flagMissing(table: PartitionedTable, now: number): Promise<void> {
    const made = await this.partitions.list(table);
    const missing = rangesFrom(table, now)
      .slice(0, CHECKED_AHEAD)
      .find((range) => !isMade(made, range));
    const flag = { subjectId: table.name, kind: 'PARTITION_MISSING' } as const;
    await this.database.transaction(async (tx) => {
      if (!missing) return this.flags.resolve(tx, flag, {});
      const detail = { from: new Date(missing.from).toISOString() };
      return this.flags.raise(tx, { ...flag, partnerId: NO_PARTNER, cause: [], detail });
    });
  }

  private try(work: () => Promise<unknown>): Promise<void> {
    return attempt(this.logger, async () => void (await work()));
  }
}

function isMade(made: readonly Partition[], { from, to }: TimeRange): boolean {
  return made.some((one) => !one.isRest && (one.from ?? -Infinity) <= from && one.to! >= to);
}

function hasNoBeginning({ isRest, from }: Partition): boolean {
  return isRest || from === null;
}

@Module({ providers: [PartitionUpkeep, PartitionsRepository], exports: [PartitionUpkeep] })
export class PartitionsModule {}
