import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database, logFailure, Slots, WorkLoop } from '../platform/index.js';
import { CallerSlots } from './caller-slots.js';
import { SmsAttempt } from './sms-attempt.js';
import { SmsOutbox } from './sms-outbox.js';
import { SmsMessagesRepository } from './store/sms-messages.repository.js';

const SLOTS = 8;
const POLL_MS = 1_000;
const MAX_EXPIRED_PER_PASS = 500;

/**
 * Sends what waits, on as many replicas as there are: in the background whatever is due, and at
 * once what a caller waits for. It claims only into free slots, so that no lease runs out while its
 * message waits for a turn.
 */
@Injectable()
export class SmsSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SmsSender.name);
  private readonly slots = new Slots(SLOTS);
  private readonly places = new CallerSlots();
  private readonly loop = new WorkLoop({
    name: 'sms-messages',
    run: () => this.pass(),
    pollMs: POLL_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly messages: SmsMessagesRepository,
    private readonly attempt: SmsAttempt,
    smsOutbox: SmsOutbox,
  ) {
    smsOutbox.handOverThrough((id) => this.handOver(id));
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await Promise.all([this.slots.drained(), this.places.drained()]);
  }

  private async pass(): Promise<number> {
    const expired = await this.messages.expire(MAX_EXPIRED_PER_PASS);
    if (this.slots.free === 0) return expired;
    const claims = await this.messages.claimDue(this.slots.free);
    for (const claim of claims) {
      this.slots.start(
        async () => void (await this.attempt.make(claim)),
        () => this.loop.wake(),
      );
    }
    return expired + claims.length;
  }

  private async handOver(id: string): Promise<boolean> {
    // What is begun now would be cut off half way; the next process takes it up.
    if (this.loop.isStopping) return false;
    return this.places.within(() => this.carryNow(id));
  }

  private async carryNow(id: string): Promise<boolean> {
    try {
      const claim = await this.messages.claimOne(id);
      if (claim) return await this.attempt.make(claim);
      return await this.database.transaction((tx) => this.messages.isHandedOver(tx, id));
    } catch (error) {
      logFailure(this.logger, error, { sms: id });
      return false;
    }
  }
}
