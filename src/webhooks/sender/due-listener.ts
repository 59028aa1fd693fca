import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Client } from 'pg';
import { Database, isConnectionLost, logFailure } from '../../platform/index.js';
import { DUE_CHANNEL, ProcessName } from './due-channel.js';
import { DueElsewhere } from './due-elsewhere.js';

const RECONNECT_AFTER_MS = 1_000;

/**
 * Hears other replicas say that there is something to send, on a connection of its own. While that
 * is gone the sender's own look, once a second, makes up for it.
 */
@Injectable()
export class DueListener implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DueListener.name);
  private client?: Client;
  private timer?: NodeJS.Timeout;
  private isStopped = false;
  private connecting: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly elsewhere: DueElsewhere,
    private readonly process: ProcessName,
  ) {}

  onApplicationBootstrap(): void {
    this.connecting = this.connect();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.connecting;
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const { url, connectTimeoutMS } = this.database.dataSource.options as {
      url: string;
      connectTimeoutMS: number;
    };
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMS,
      application_name: 'rinpath-listener',
      keepAlive: true,
    });
    // A connection that ends says so by both; one of them is enough.
    client.on('error', () => undefined);
    client.once('end', () => this.reconnectLater());
    client.on('notification', ({ payload }) => {
      if (payload !== this.process.name) this.elsewhere.raise();
    });
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${DUE_CHANNEL}`);
      // What was said while nobody listened.
      this.elsewhere.raise();
    } catch (error) {
      if (!isConnectionLost(error)) logFailure(this.logger, error);
      await client.end().catch(() => undefined);
      this.reconnectLater();
    }
  }

  private reconnectLater(): void {
    if (this.isStopped || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.connecting = this.connect();
    }, RECONNECT_AFTER_MS);
  }
}
