import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Client } from 'pg';
import {
  Clock,
  Database,
  DuePoller,
  isConnectionLost,
  logFailure,
  OffsetClock,
  ScheduledTask,
  waysOf,
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
const RECONNECT_AFTER_MS = 1_000;
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
  private readonly logger = new Logger(SandboxClockNews.name);
  private isStopped = false;
  private client?: Client;
  private reconnect?: NodeJS.Timeout;
  private connecting: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly time: SandboxTime,
    private readonly poller: DuePoller,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.time.follow();
    this.connecting = this.connect();
    await this.connecting;
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.reconnect);
    await this.connecting;
    await this.client?.end().catch(() => undefined);
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

  private async connect(): Promise<void> {
    const { sessionUrl, connectTimeoutMS } = waysOf(this.database.dataSource);
    const client = new Client({
      connectionString: sessionUrl,
      connectionTimeoutMillis: connectTimeoutMS,
      application_name: `${NAME} new`,
      keepAlive: true,
    });
    // `end` follows every error, and reconnects.
    client.on('error', () => undefined);
    client.once('end', () => this.reconnectLater());
    client.on('notification', () => this.hear(client));
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      await this.followBy(client);
    } catch (error) {
      if (!isConnectionLost(error)) logFailure(this.logger, error);
      await client.end().catch(() => undefined);
      this.reconnectLater();
    }
  }

  private hear(client: Client): void {
    this.followBy(client).catch((error: unknown) => {
      if (!isConnectionLost(error)) logFailure(this.logger, error);
    });
  }

  private async followBy(client: Client): Promise<void> {
    const offset = await this.time.follow();
    this.poller.lookNow();
    await client.query(`SELECT set_config('application_name', $1, false)`, [`${NAME} ${offset}`]);
  }

  private reconnectLater(): void {
    if (this.isStopped || this.reconnect) return;
    this.reconnect = setTimeout(() => {
      this.reconnect = undefined;
      this.connecting = this.connect();
    }, RECONNECT_AFTER_MS);
  }
}
