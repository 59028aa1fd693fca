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

/** Raised when deliveries may be due; wakes the senders of all replicas. */
@Injectable()
export class SenderWakeUp extends Signal {}

/** NOTIFY channel; the payload is the id of the notifying process. */
export const WAKE_UP_CHANNEL = 'webhooks_due';

const MIN_NOTIFY_GAP_MS = 25;
const RECONNECT_AFTER_MS = 1_000;

/**
 * Relays `SenderWakeUp` between replicas: another one may hold the lane. Transactions that notify
 * wait for each other's commits, so it notifies after the commit. Without a connection, the poller
 * finds due deliveries.
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
  private isNotifyPending = false;
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
      this.isNotifyPending = true;
      return;
    }
    this.notifying = this.notify();
    this.gap = setTimeout(() => {
      this.gap = undefined;
      if (!this.isNotifyPending) return;
      this.isNotifyPending = false;
      this.notifyOthers();
    }, MIN_NOTIFY_GAP_MS);
  }

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
    // 'end' follows.
    client.on('error', () => undefined);
    client.once('end', () => this.reconnectLater());
    client.on('notification', ({ payload }) => {
      if (payload !== this.processId) this.raise();
    });
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${WAKE_UP_CHANNEL}`);
      // Notifications may have been missed.
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
