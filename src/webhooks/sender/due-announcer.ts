import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Database, logFailure } from '../../platform/index.js';
import { DeliveriesDue } from '../deliveries/deliveries-due.js';
import { DUE_CHANNEL, ProcessName } from './due-channel.js';

/** However many events there are, the others are told no more often than this. */
const GAP_MS = 25;

/**
 * Tells the other replicas that there is something to send: the lane that it is for may be one of
 * theirs. By a statement of its own after the commit, one for everything that came up meanwhile:
 * transactions that notify take turns at their commits, and those of the business shall not.
 */
@Injectable()
export class DueAnnouncer implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(DueAnnouncer.name);
  private timer?: NodeJS.Timeout;
  private isDue = false;
  private isStopped = false;
  private announcing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly due: DeliveriesDue,
    private readonly process: ProcessName,
  ) {}

  onModuleInit(): void {
    this.due.listen(() => this.announce());
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.announcing;
  }

  private announce(): void {
    if (this.isStopped) return;
    if (this.timer) {
      this.isDue = true;
      return;
    }
    this.announcing = this.notify();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (!this.isDue) return;
      this.isDue = false;
      this.announce();
    }, GAP_MS);
  }

  /** One that is lost costs the others no more than their own next look. */
  private async notify(): Promise<void> {
    try {
      await this.database.query('SELECT pg_notify($1, $2)', [DUE_CHANNEL, this.process.name]);
    } catch (error) {
      logFailure(this.logger, error);
    }
  }
}
