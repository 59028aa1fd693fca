import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Database, Listener, logFailure, RandomSource, Signal } from '../../platform/index.js';

/** Raised when deliveries may be due; wakes the senders of all replicas. */
@Injectable()
export class SenderWakeUp extends Signal {}

/** NOTIFY channel; the payload is the id of the notifying process. */
export const WAKE_UP_CHANNEL = 'webhooks_due';

const MIN_NOTIFY_GAP_MS = 25;

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
  private readonly listener: Listener;

  constructor(
    private readonly database: Database,
    private readonly wakeUp: SenderWakeUp,
    random: RandomSource,
  ) {
    super();
    this.processId = random.bytes(12).toString('hex');
    this.listener = new Listener(database, {
      name: WAKE_UP_CHANNEL,
      applicationName: 'rinpath-listener',
      logger: this.logger,
      hear: (_, payload) => {
        if (payload !== this.processId) this.raise();
      },
    });
  }

  onModuleInit(): void {
    this.wakeUp.listen(() => this.notifyOthers());
  }

  onApplicationBootstrap(): void {
    void this.listener.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.gap);
    await Promise.all([this.notifying, this.listener.stop()]);
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
}
