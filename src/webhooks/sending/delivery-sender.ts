import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { logFailure, Metrics, Slots, WorkLoop } from '../../platform/index.js';
import { DeliveriesDue } from '../deliveries-due.js';
import { AttemptRecorder } from './attempt-recorder.js';
import type { Attempt } from './attempt.js';
import type { AttemptResult } from './attempt-result.js';
import type { ClaimedDelivery } from './claimed-delivery.js';
import { DEADLINE_MS, DeliveryAttempt } from './delivery-attempt.js';
import { DeliveryClaims, MOST_IN_FLIGHT } from './delivery-claims.js';
import { DueElsewhere } from './due-elsewhere.js';
import { LEASE_SECONDS } from './lane-leases.repository.js';

const POLL_MS = 1_000;
/** Fewer free slots than these are claimed into only when nobody has for so long. */
const SLOTS_WORTH_CLAIMING = MOST_IN_FLIGHT / 4;
const GATHER_MS = 5;

/**
 * Sends what is due, on as many replicas as there are. It claims only into free slots, so that no
 * lease runs out while a delivery waits for its turn. Killed at any line, it leaves leases behind
 * that run out: a receiver may get an event twice, never not at all.
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
  private claimedAt = Number.NEGATIVE_INFINITY;
  private gathering?: NodeJS.Timeout;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly attempt: DeliveryAttempt,
    private readonly recorder: AttemptRecorder,
    private readonly due: DeliveriesDue,
    private readonly dueElsewhere: DueElsewhere,
    private readonly metrics: Metrics,
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
    this.dueElsewhere.listen(() => this.loop.wake());
    this.loop.start();
  }

  /** Claims nothing more, and waits for what is in flight, which its deadline keeps short. */
  async stop(): Promise<void> {
    await this.loop.stop();
    clearTimeout(this.gathering);
    await this.slots.drained();
    await this.claims.releaseIdle();
  }

  private async fillSlots(): Promise<number> {
    const { free } = this.slots;
    if (free === 0 || this.isTooSoonFor(free)) return 0;
    const startedAt = performance.now();
    const claims = await this.claims.claim(free);
    this.claimedAt = performance.now();
    for (const claim of claims) {
      this.slots.start(
        () => this.deliver(claim, startedAt),
        () => this.loop.wake(),
      );
    }
    if (claims.length === 0) await this.claims.releaseIdle();
    return claims.length;
  }

  /**
   * Under load slots become free one by one, and a claim for each would keep the database busy: they
   * are gathered for a moment. A sender that is idle claims at once.
   */
  private isTooSoonFor(free: number): boolean {
    const waitMs = this.claimedAt + GATHER_MS - performance.now();
    if (free >= SLOTS_WORTH_CLAIMING || waitMs <= 0) return false;
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.loop.wake();
    }, waitMs);
    return true;
  }

  /** Never rejects: what failed on our side is logged, and comes back when its lease has run out. */
  private async deliver(claim: ClaimedDelivery, claimedAt: number): Promise<void> {
    const attempt = await this.attemptOf(claim, claimedAt);
    if (!attempt) return;
    try {
      const isRecorded = await this.recorder.record(attempt);
      this.metrics.webhookAttempts.inc({
        outcome: isRecorded ? outcomeOf(attempt.result) : 'void',
      });
    } catch (error) {
      logFailure(this.logger, error, { deliveryId: claim.deliveryId });
    }
  }

  /** Null when it was not made. */
  private async attemptOf(claim: ClaimedDelivery, claimedAt: number): Promise<Attempt | null> {
    // A machine that was suspended wakes up with leases that somebody else has taken over.
    if (performance.now() - claimedAt > LEASE_SECONDS * 1_000 - DEADLINE_MS) {
      this.claims.held.end(claim);
      return null;
    }
    if (claim.attempt === 1) this.metrics.webhookFirstAttempts.observe(claim.waitedSeconds);
    try {
      return await this.attempt.make(claim);
    } catch (error) {
      this.claims.held.abandon(claim, LEASE_SECONDS * 1_000);
      logFailure(this.logger, error, { deliveryId: claim.deliveryId });
      return null;
    }
  }
}

function outcomeOf({ isSuccess, failure }: AttemptResult): string {
  if (isSuccess) return 'succeeded';
  return failure === null ? 'refused' : failure.toLowerCase();
}
