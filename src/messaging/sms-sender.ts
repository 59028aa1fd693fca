import { Injectable } from '@nestjs/common';
import { ClaimWorker, Database, DuePoller, logFailure, Slots, within } from '../platform/index.js';
import { SmsAttempt } from './sms-attempt.js';
import { SmsOutbox } from './sms-outbox.js';
import { type SmsClaim, SmsMessagesRepository } from './store/sms-messages.repository.js';

const MAX_CALLERS = 16;
const WAIT_MS = 2_000;
const SLOW_AFTER = 3;

/**
 * At most two seconds each. After three timeouts in a row only one caller at a time tries; other messages go to the
 * background. So a stuck gateway delays one call.
 */
export class CallerSlots {
  private readonly slots = new Slots(MAX_CALLERS);
  private waitedInVain = 0;

  /**
   * @param work never rejects
   * @returns false without a slot or a result in time
   */
  async within(work: () => Promise<boolean>): Promise<boolean> {
    if (!this.hasSlot) return false;
    const running = work();
    this.slots.start(
      async () => void (await running),
      () => undefined,
    );
    const outcome = await within(WAIT_MS, running, () => 'LATE' as const);
    this.waitedInVain = outcome === 'LATE' ? this.waitedInVain + 1 : 0;
    return outcome === true;
  }

  drained(): Promise<void> {
    return this.slots.drained();
  }

  private get hasSlot(): boolean {
    const { free } = this.slots;
    return this.waitedInVain >= SLOW_AFTER ? free === MAX_CALLERS : free > 0;
  }
}

const SLOTS = 8;
const MAX_EXPIRED_PER_PASS = 500;

@Injectable()
export class SmsSender extends ClaimWorker<SmsClaim> {
  private readonly places = new CallerSlots();

  constructor(
    private readonly database: Database,
    private readonly messages: SmsMessagesRepository,
    private readonly attempt: SmsAttempt,
    smsOutbox: SmsOutbox,
    poller: DuePoller,
  ) {
    const { DUE, EXPIRED } = SmsMessagesRepository;
    super('sms-messages', SLOTS, poller, DUE, EXPIRED);
    smsOutbox.handOverThrough((id) => this.handOver(id));
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([super.beforeApplicationShutdown(), this.places.drained()]);
  }

  protected override before(): Promise<number> {
    return this.messages.expire(MAX_EXPIRED_PER_PASS);
  }

  protected claim(free: number): Promise<SmsClaim[]> {
    return this.messages.claimDue(free);
  }

  protected work(claim: SmsClaim): Promise<boolean> {
    return this.attempt.make(claim);
  }

  private async handOver(id: string): Promise<boolean> {
    // Would be cut off; another process sends it.
    if (this.isStopping) return false;
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
