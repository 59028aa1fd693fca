import { hostname } from 'node:os';
import { Inject, Injectable, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { NO_PARTNER, OperatorFlags } from '../operator-flags/index.js';
import {
  ClockDifference,
  Database,
  IF_EVERY_REPLICA,
  ScheduledTask,
  type Tx,
} from '../platform/index.js';

const EVERY_MS = 60_000;
const OFF_FROM_SECONDS = 30;
/** A host that missed several checks is gone. */
const GONE_AFTER_MS = 5 * 60_000;
/** All processes on one machine share its clock. */
const HOST_NAME = Symbol('HOST_NAME');

@Injectable()
export class ClockWatch implements OnModuleInit {
  private readonly logger = new Logger('Clock');
  private readonly flag: { readonly subjectId: string; readonly kind: 'CLOCK_OFF' };
  private wasOff = false;

  constructor(
    private readonly difference: ClockDifference,
    private readonly database: Database,
    private readonly flags: OperatorFlags,
    @Inject(HOST_NAME) private readonly hostName: string,
  ) {
    this.flag = { subjectId: `clock of ${hostName}`, kind: 'CLOCK_OFF' };
  }

  /** Before background work starts and the first request is served. */
  async onModuleInit(): Promise<void> {
    await this.check();
  }

  @ScheduledTask('clock-watch', EVERY_MS)
  async check(): Promise<void> {
    const seconds = await this.difference.measure();
    const isOff = Math.abs(seconds) >= OFF_FROM_SECONDS;
    if (isOff) this.logger.error(this.warning());
    else if (this.wasOff) this.logger.warn(`The clock of ${this.hostName} is correct again`);
    this.wasOff = isOff;
    await this.database.transaction(async (tx) => {
      const checkedAt = await this.closeGone(tx);
      // Also one raised by an earlier process on this host.
      if (!isOff) return this.flags.resolve(tx, this.flag, {});
      const isReady = !this.difference.isUnfit;
      const [cause, other] = isReady ? ['OFF', 'NOT_READY'] : ['NOT_READY', 'OFF'];
      await this.flags.resolve(tx, { ...this.flag, cause: other }, {});
      const detail = { secondsAhead: Math.round(seconds), isReady, checkedAt };
      return this.flags.raise(tx, { ...this.flag, partnerId: NO_PARTNER, cause: [cause], detail });
    });
  }

  /**
   * Closes the flags of hosts no longer measured.
   * @returns the database's time: a sandbox moves `last_seen_at`, and this clock may be wrong
   */
  private async closeGone(tx: Tx): Promise<Date> {
    const [{ now }] = await tx.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    for (const { subjectId, detail } of await this.flags.lockOpen(tx, [this.flag.kind])) {
      const { checkedAt } = detail as { checkedAt?: string };
      if (!checkedAt || now.getTime() - Date.parse(checkedAt) < GONE_AFTER_MS) continue;
      await this.flags.resolve(tx, { ...this.flag, subjectId }, { checkedAt });
    }
    return now;
  }

  private warning(): string {
    const effect = this.difference.isUnfit
      ? 'this replica is not ready until it is correct'
      : 'at 120 s this replica stops being ready';
    return `The clock of ${this.hostName} is ${this.difference.description}; ${effect}. Synchronise both by NTP. ${IF_EVERY_REPLICA}`;
  }
}

@Module({ providers: [{ provide: HOST_NAME, useFactory: hostname }, ClockWatch] })
export class ClockWatchModule {}
