import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Client } from 'pg';
import {
  Clock,
  Database,
  DuePoller,
  Listener,
  OffsetClock,
  ScheduledTask,
} from '../platform/index.js';
import {
  CHANNEL,
  type MoveClock,
  SandboxClockRepository,
} from './store/sandbox-clock.repository.js';

/**
 * One stored offset moves `app_now()` and every process's clock. Replicas follow when notified, or
 * within a second.
 */
@Injectable()
export class SandboxTime {
  private following: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly clocks: SandboxClockRepository,
    private readonly clock: Clock,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  /**
   * @param milliseconds negative in tests only
   * @returns the new offset
   */
  travel(milliseconds: number, move: MoveClock = (by) => this.clocks.move(by)): Promise<number> {
    return this.inTurn(() => move(milliseconds));
  }

  follow(): Promise<number> {
    return this.inTurn(() => this.clocks.offset());
  }

  /** Serial, so that an older offset never replaces a newer one. */
  private inTurn(read: () => Promise<number>): Promise<number> {
    const turn = this.following.then(async () => this.apply(await read()));
    this.following = turn.catch(() => undefined);
    return turn;
  }

  private apply(offsetMs: number): number {
    if (this.clock instanceof OffsetClock) this.clock.setOffset(offsetMs);
    return offsetMs;
  }
}

/** Prefix of `application_name`, before the listener's offset. */
const NAME = 'rinpath-clock';
const ASK_EVERY_MS = 10;
const FOLLOW_EVERY_MS = 1_000;
/** The longest wait for the other replicas. A slower one still follows at its next check. */
const FOLLOWS_WITHIN_MS = 3_000;

/**
 * Each replica's connection shows its offset in `application_name`. So a dead replica disappears,
 * and no list is needed.
 */
@Injectable()
export class SandboxClockNews implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly listener: Listener;

  constructor(
    private readonly database: Database,
    private readonly time: SandboxTime,
    private readonly poller: DuePoller,
  ) {
    this.listener = new Listener(database, {
      name: CHANNEL,
      applicationName: `${NAME} new`,
      logger: new Logger(SandboxClockNews.name),
      hear: (client) => this.followBy(client),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.time.follow();
    await this.listener.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.listener.stop();
  }

  @ScheduledTask('sandbox-clock', FOLLOW_EVERY_MS)
  async follow(): Promise<void> {
    await this.time.follow();
  }

  /** Makes all replicas adopt an offset, in milliseconds, and run due work. */
  async tell(offset: number): Promise<void> {
    await this.database.query('SELECT pg_notify($1, $2)', [CHANNEL, '']);
    const until = performance.now() + FOLLOWS_WITHIN_MS;
    while (performance.now() < until && (await this.isAnyBehind(offset))) {
      await sleep(ASK_EVERY_MS);
    }
  }

  private async isAnyBehind(offset: number): Promise<boolean> {
    const behind = await this.database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
         AND application_name LIKE $1 || ' %' AND application_name <> $1 || ' ' || $2 LIMIT 1`,
      [NAME, String(offset)],
    );
    return behind.length > 0;
  }

  private async followBy(client: Client): Promise<void> {
    const offset = await this.time.follow();
    this.poller.lookNow();
    await client.query(`SELECT set_config('application_name', $1, false)`, [`${NAME} ${offset}`]);
  }
}
