import { Inject, Injectable } from '@nestjs/common';
import { NO_PARTNER, OperatorFlags } from '../operator-flags/index.js';
import { Database, isWorthRetrying, ScheduledTask, type Tx } from '../platform/index.js';
import { AUDIT_SOURCES, type AuditSource } from './audit-source.js';
import { AuditRoots } from './roots/audit-roots.service.js';
import { AuditIntakesRepository } from './store/audit-intakes.repository.js';

const INTAKE_EVERY_MS = 10_000;
const ROOT_EVERY_MS = 10 * 60_000;
/** Short enough that a loan whose chain is being filled in waits for some hundredths of a second. */
const ROWS_A_LOT = 200;
const LOTS_A_PASS = 50;
const NOT_CLOSED = { subjectId: 'audit', kind: 'AUDIT_NOT_CLOSED' } as const;

/** Takes old rows into the chains and closes each day; on any number of replicas, each thing once. */
@Injectable()
export class AuditTasks {
  private readonly waiting: AuditSource[];

  constructor(
    @Inject(AUDIT_SOURCES) sources: readonly AuditSource[],
    private readonly database: Database,
    private readonly intakes: AuditIntakesRepository,
    private readonly roots: AuditRoots,
    private readonly flags: OperatorFlags,
  ) {
    this.waiting = sources.filter(({ isTakenIn }) => isTakenIn);
  }

  @ScheduledTask('audit-intake', INTAKE_EVERY_MS)
  async takeIn(): Promise<void> {
    for (let lot = 0; lot < LOTS_A_PASS; lot += 1) {
      const [source] = this.waiting;
      if (!source) return;
      const outcome = await this.takeInLot(source);
      if (outcome === 'BUSY') return;
      if (outcome === 'DONE') this.waiting.shift();
    }
  }

  private async takeInLot(source: AuditSource): Promise<'DONE' | 'MORE' | 'BUSY'> {
    try {
      return await this.database.transaction(async (tx) => {
        await this.intakes.begin(tx, source);
        return this.intakes.takeIn(tx, source, ROWS_A_LOT);
      });
    } catch (error) {
      // It has given way to whoever writes to one of the chains.
      if (isWorthRetrying(error)) return 'BUSY';
      throw error;
    }
  }

  @ScheduledTask('audit-root', ROOT_EVERY_MS)
  async closeDay(): Promise<void> {
    try {
      while (await this.roots.closeDay());
      await this.database.transaction(async (tx) => {
        // Another replica may be at it, and may fail.
        if ((await this.roots.lateDay(tx)) === null) await this.flags.resolve(tx, NOT_CLOSED, {});
      });
    } catch (error) {
      await this.database.transaction((tx) => this.flag(tx));
      throw error;
    }
  }

  private async flag(tx: Tx): Promise<void> {
    const day = await this.roots.lateDay(tx);
    if (day === null) return;
    await this.flags.raise(tx, {
      ...NOT_CLOSED,
      partnerId: NO_PARTNER,
      cause: [],
      detail: { day },
    });
  }
}
