import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Client } from 'pg';
import {
  Database,
  isConnectionLost,
  logFailure,
  RandomSource,
  Signal,
  waysOf,
} from '../../platform/index.js';
import { SenderWakeUp } from './sender-wake-up.js';

/** The channel of NOTIFY; its payload is the id of the process that notifies. */
export const WAKE_UP_CHANNEL = 'webhooks_due';

/** However many events there are, the others are notified no more often than this. */
const GAP_MS = 25;
const RECONNECT_AFTER_MS = 1_000;

/**
 * Carries the wake-up between replicas, since the lane that it is for may be another one's: notifies
 * the others when this process has something to send, and is raised when another says so.
 *
 * It notifies by a statement of its own after the commit, one for everything that came up meanwhile:
 * transactions that notify take turns at their commits, and those of the business shall not. It listens
 * on a connection of its own; while that is gone the poller's look, once a second, makes up for it.
 */
@Injectable()
export class ReplicaWakeUp
  extends Signal
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy
{
  private readonly logger = new Logger(ReplicaWakeUp.name);
  private readonly processId: string;
  private isStopped = false;
  private gap?: NodeJS.Timeout;
  private isAsked = false;
  private notifying: Promise<void> = Promise.resolve();
  private client?: Client;
  private reconnect?: NodeJS.Timeout;
  private connecting: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly wakeUp: SenderWakeUp,
    random: RandomSource,
  ) {
    super();
    this.processId = random.bytes(12).toString('hex');
  }

  onModuleInit(): void {
    this.wakeUp.listen(() => this.notifyOthers());
  }

  onApplicationBootstrap(): void {
    this.connecting = this.connect();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.gap);
    clearTimeout(this.reconnect);
    await Promise.all([this.notifying, this.connecting]);
    await this.client?.end().catch(() => undefined);
  }

  private notifyOthers(): void {
    if (this.isStopped) return;
    if (this.gap) {
      this.isAsked = true;
      return;
    }
    this.notifying = this.notify();
    this.gap = setTimeout(() => {
      this.gap = undefined;
      if (!this.isAsked) return;
      this.isAsked = false;
      this.notifyOthers();
    }, GAP_MS);
  }

  /** One that is lost costs the others no more than their own next look. */
  private async notify(): Promise<void> {
    try {
      await this.database.query('SELECT pg_notify($1, $2)', [WAKE_UP_CHANNEL, this.processId]);
    } catch (error) {
      logFailure(this.logger, error);
    }
  }

  private async connect(): Promise<void> {
    const { sessionUrl, connectTimeoutMS } = waysOf(this.database.dataSource);
    const client = new Client({
      connectionString: sessionUrl,
      connectionTimeoutMillis: connectTimeoutMS,
      application_name: 'rinpath-listener',
      keepAlive: true,
    });
    // A connection that ends says so by both; one of them is enough.
    client.on('error', () => undefined);
    client.once('end', () => this.reconnectLater());
    client.on('notification', ({ payload }) => {
      if (payload !== this.processId) this.raise();
    });
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${WAKE_UP_CHANNEL}`);
      // What was said while nobody listened.
      this.raise();
    } catch (error) {
      if (!isConnectionLost(error)) logFailure(this.logger, error);
      await client.end().catch(() => undefined);
      this.reconnectLater();
    }
  }

  private reconnectLater(): void {
    if (this.isStopped || this.reconnect) return;
    this.reconnect = setTimeout(() => {
      this.reconnect = undefined;
      this.connecting = this.connect();
    }, RECONNECT_AFTER_MS);
  }
}
