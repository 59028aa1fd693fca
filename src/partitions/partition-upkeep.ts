import { Injectable, Logger } from '@nestjs/common';
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

const KEYS_A_CHUNK = 1_000;
const DROPPED_AT_ONCE = 4;
/** While the file system takes back what one has dropped, the next one drops. Each that has some holds a connection. */
const DROPPING_AT_MOST = 4;
/** This one's and the next one's partition: what is further ahead has time. */
const NEAR = 2;

/**
 * Keeps the partitions of a table: made ahead, dropped when all of it is old. Safe on any number of replicas at
 * once; each pass ends what the last one could not.
 */
@Injectable()
export class PartitionUpkeep {
  private readonly logger = new Logger(PartitionUpkeep.name);

  constructor(
    private readonly partitions: PartitionsRepository,
    private readonly database: Database,
    private readonly flags: OperatorFlags,
  ) {}

  /** Makes what is missing; quick, for the start of a process. */
  async makeAhead(table: PartitionedTable): Promise<void> {
    const now = await this.partitions.now();
    const made = await this.partitions.list(table);
    for (const range of rangesFrom(table, now).filter((one) => !isMade(made, one))) {
      await this.try(() => this.partitions.make(table, range));
    }
    await this.tell(table, now);
  }

  /** The same, and clears away what is old. */
  async keep(table: PartitionedTable): Promise<void> {
    await this.makeAhead(table);
    const until = keptFrom(table, await this.partitions.now());
    const made = await this.partitions.list(table);
    for (const one of made.filter(hasNoBeginning)) {
      await this.try(() => this.sweep(table, one, until));
    }
    const old = made.filter(({ to }) => to !== null && to <= until);
    await Promise.all(Array.from({ length: DROPPING_AT_MOST }, () => this.dropAll(table, old)));
  }

  /** What has no beginning may be as large as the whole table was, and is emptied by rows meanwhile. */
  private sweep(table: PartitionedTable, one: Partition, until: number): Promise<void> {
    return inChunks(keyBeforeAll(table), (after) =>
      this.partitions.sweep(table, one, { after, until, most: KEYS_A_CHUNK }),
    );
  }

  /** A few at a time, until none is left; others take from the same list meanwhile. */
  private async dropAll(table: PartitionedTable, old: Partition[]): Promise<void> {
    while (old.length > 0) await this.drop(table, old.splice(0, DROPPED_AT_ONCE));
  }

  /** Together, which takes a fraction of the time; one by one where that is not possible. */
  private async drop(table: PartitionedTable, few: readonly Partition[]): Promise<void> {
    const outcome = { isGone: false };
    await this.try(async () => {
      outcome.isGone = await this.partitions.drop(table, few);
    });
    if (outcome.isGone || few.length === 1) return;
    for (const one of few) await this.try(() => this.partitions.drop(table, [one]));
  }

  private async tell(table: PartitionedTable, now: number): Promise<void> {
    const made = await this.partitions.list(table);
    const missing = rangesFrom(table, now)
      .slice(0, NEAR)
      .find((range) => !isMade(made, range));
    const flag = { subjectId: table.name, kind: 'PARTITION_MISSING' } as const;
    await this.database.transaction(async (tx) => {
      if (!missing) return this.flags.resolve(tx, flag, {});
      const detail = { from: new Date(missing.from).toISOString() };
      return this.flags.raise(tx, { ...flag, partnerId: NO_PARTNER, cause: [], detail });
    });
  }

  /** One that fails keeps no other from its turn. */
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
