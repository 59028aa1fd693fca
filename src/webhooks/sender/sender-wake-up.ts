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

/** Raised when deliveries may have become due: wakes the sender of this process, and of the others. */
@Injectable()
export class SenderWakeUp extends Signal {}

/** The channel of NOTIFY; its payload is the id of the process that notifies. */
export const WAKE_UP_CHANNEL = 'webhooks_due';

/** The shortest time between two notifications. */
const GAP_MS = 25;
const RECONNECT_AFTER_MS = 1_000;

/**
 * Passes `SenderWakeUp` on to the other replicas, which may hold the lane, and is raised by theirs.
 * It notifies after the commit: transactions that notify wait for each other at their commits. While
 * its connection is lost, the poller finds what is due.
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
      // For notifications that were missed.
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
