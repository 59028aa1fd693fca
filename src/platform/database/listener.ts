import type { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { logFailure } from '../logging/log-failure.js';
import { isConnectionLost } from './connection-lost.js';
import { sessionClient } from './data-source.js';
import type { Database } from './database.js';

const RECONNECT_AFTER_MS = 1_000;

interface Channel {
  readonly name: string;
  readonly applicationName: string;
  readonly logger: Logger;
  /** Without a payload after each connection, as notifications may have been missed. */
  readonly hear: (client: Client, payload?: string) => Promise<void> | void;
}

/** Hears a NOTIFY channel on its own connection, and replaces a lost one. */
export class Listener {
  private isStopped = false;
  private client?: Client;
  private reconnect?: NodeJS.Timeout;
  private connecting: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly channel: Channel,
  ) {}

  /** Resolves after the first attempt. */
  start(): Promise<void> {
    this.connecting = this.connect();
    return this.connecting;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.reconnect);
    await this.connecting;
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const { name, applicationName, hear } = this.channel;
    const client = sessionClient(this.database.dataSource, {
      application_name: applicationName,
      keepAlive: true,
    });
    // Follows every error.
    client.once('end', () => this.reconnectLater());
    client.on('notification', ({ payload }) => void this.hear(client, payload));
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${name}`);
      await hear(client);
    } catch (error) {
      this.log(error);
      await client.end().catch(() => undefined);
      this.reconnectLater();
    }
  }

  private async hear(client: Client, payload?: string): Promise<void> {
    try {
      await this.channel.hear(client, payload);
    } catch (error) {
      this.log(error);
    }
  }

  private log(error: unknown): void {
    if (!isConnectionLost(error)) logFailure(this.channel.logger, error);
  }

  private reconnectLater(): void {
    if (this.isStopped || this.reconnect) return;
    this.reconnect = setTimeout(() => {
      this.reconnect = undefined;
      this.connecting = this.connect();
    }, RECONNECT_AFTER_MS);
  }
}
