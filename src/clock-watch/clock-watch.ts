import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { OperatorFlags } from '../operator-flags/index.js';
import { ClockDifference, Database, ScheduledTask } from '../platform/index.js';

const EVERY_MS = 60_000;
const OFF_FROM_SECONDS = 30;
const NO_PARTNER = '-';

/** The machine that the process runs on: its clock is that of every process on it. */
export const HOST_NAME = Symbol('HOST_NAME');

/** Compares this process's clock with the database's and flags one that is off. */
@Injectable()
export class ClockWatch implements OnApplicationBootstrap {
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

  /** Before the first request: `ready` knows it from the start. */
  async onApplicationBootstrap(): Promise<void> {
    await this.check();
  }

  @ScheduledTask('clock-watch', EVERY_MS)
  async check(): Promise<void> {
    const seconds = await this.difference.measure();
    const isOff = Math.abs(seconds) >= OFF_FROM_SECONDS;
    if (isOff) this.logger.error(this.warning());
    else if (this.wasOff) this.logger.warn(`The clock of ${this.hostName} is right again`);
    this.wasOff = isOff;
    await this.database.transaction(async (tx) => {
      // Also one that an earlier process on this host has raised.
      if (!isOff) return this.flags.resolve(tx, this.flag, {});
      const detail = { secondsAhead: Math.round(seconds), isReady: !this.difference.isUnfit };
      return this.flags.raise(tx, { ...this.flag, partnerId: NO_PARTNER, cause: [], detail });
    });
  }

  private warning(): string {
    const effect = this.difference.isUnfit
      ? 'this replica is not ready until it is right'
      : 'from 120 s on this replica is not ready';
    return `The clock of ${this.hostName} is ${this.difference.words}; ${effect}. Set both by NTP`;
  }
}
