import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { logFailure, Slots, WorkLoop } from '../platform/index.js';
import { DeliveriesDue } from './deliveries-due.js';
import { DeliveryAttempt } from './delivery-attempt.js';
import { type DeliveryClaim, DeliveryClaims } from './delivery-claims.repository.js';

const MOST_IN_FLIGHT = 32;
const POLL_MS = 1_000;

/**
 * Sends what is due, on as many replicas as there are. It claims only into free slots, so that no
 * lease runs out while its delivery waits for a turn.
 */
@Injectable()
export class DeliverySender implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeliverySender.name);
  private readonly slots = new Slots(MOST_IN_FLIGHT);
  private readonly loop = new WorkLoop({
    name: 'webhook-deliveries',
    run: () => this.fillSlots(),
    pollMs: POLL_MS,
  });
  private isStarted = false;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly attempt: DeliveryAttempt,
    private readonly due: DeliveriesDue,
  ) {}

  onApplicationBootstrap(): void {
    this.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  start(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    this.due.listen(() => this.loop.wake());
    this.loop.start();
  }

  /** Claims nothing more and waits for what is in flight, which its deadline keeps short. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.slots.drained();
  }

  private async fillSlots(): Promise<number> {
    const { free } = this.slots;
    if (free === 0) return 0;
    const claims = await this.claims.claim(free);
    for (const claim of claims) {
      this.slots.start(
        () => this.deliver(claim),
        () => this.loop.wake(),
      );
    }
    return claims.length;
  }

  /** Never rejects: what failed on our side is logged, and comes back when its lease runs out. */
  private async deliver(claim: DeliveryClaim): Promise<void> {
    try {
      await this.attempt.make(claim);
    } catch (error) {
      logFailure(this.logger, error, { deliveryId: claim.deliveryId });
    }
  }
}
