import { Inject, Injectable } from '@nestjs/common';
import { type FlagDetail, OperatorFlags } from '../operator-flags/index.js';
import { Database, isWorthRetrying, ScheduledTask, type Tx } from '../platform/index.js';
import { AUDIT_SOURCES, type AuditSource } from './audit-source.js';
import { AuditRoots, ClocksDiffer } from './roots/audit-roots.service.js';
import { AuditIntakesRepository } from './store/audit-intakes.repository.js';

const INTAKE_EVERY_MS = 10_000;
const ROOT_EVERY_MS = 10 * 60_000;
/** Short enough that a loan whose chain is being filled in waits for some hundredths of a second. */
const ROWS_A_LOT = 200;
const LOTS_A_PASS = 50;
const NO_PARTNER = '-';
const NOT_CLOSED = { subjectId: 'audit', kind: 'AUDIT_NOT_CLOSED' } as const;

interface Flagged {
  readonly subjectId: string;
  readonly kind: 'AUDIT_NOT_CLOSED';
}

/** Of the machine that the process runs on: its clock is wrong or right, and another one has its own. */
export const HOST_NAME = Symbol('HOST_NAME');

/** Takes old rows into the chains and closes each day; on any number of replicas, each thing once. */
@Injectable()
export class AuditTasks {
  private readonly waiting: AuditSource[];
  private readonly wrongClock: Flagged;

  constructor(
    @Inject(AUDIT_SOURCES) sources: readonly AuditSource[],
    private readonly database: Database,
    private readonly intakes: AuditIntakesRepository,
    private readonly roots: AuditRoots,
    private readonly flags: OperatorFlags,
    @Inject(HOST_NAME) hostName: string,
  ) {
    this.waiting = sources.filter(({ isTakenIn }) => isTakenIn);
    this.wrongClock = { ...NOT_CLOSED, subjectId: `${NOT_CLOSED.subjectId} on ${hostName}` };
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
      await this.database.transaction((tx) => this.resolve(tx));
    } catch (error) {
      await this.database.transaction((tx) => this.flag(tx, error));
      throw error;
    }
  }

  /** A replica whose clock is right knows nothing of another one's. */
  private async resolve(tx: Tx): Promise<void> {
    // Another replica may be at it, and then nothing has been compared yet; and it may fail.
    await this.roots.compareClocks(tx);
    await this.flags.resolve(tx, this.wrongClock, {});
    if ((await this.roots.lateDay(tx)) === null) await this.flags.resolve(tx, NOT_CLOSED, {});
  }

  private async flag(tx: Tx, error: unknown): Promise<void> {
    if (error instanceof ClocksDiffer)
      await this.raise(tx, this.wrongClock, { reason: error.message });
    const day = await this.roots.lateDay(tx);
    if (day !== null) await this.raise(tx, NOT_CLOSED, { day });
  }

  private raise(tx: Tx, flag: Flagged, detail: FlagDetail<Flagged['kind']>): Promise<void> {
    return this.flags.raise(tx, { ...flag, partnerId: NO_PARTNER, cause: [], detail });
  }
}
