import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import {
  ClockDifference,
  DuePoller,
  DueTimes,
  logFailure,
  Slots,
  TooLate,
  UNWOKEN_MS,
  WorkLoop,
} from '../../platform/index.js';
import { AttemptRecorder, type RecordListener } from './attempt-recorder.js';
import type { ClaimedDelivery } from './claimed-delivery.js';
import {
  type Attempt,
  ATTEMPT_MS,
  type AttemptResult,
  DeliveryAttempt,
} from './delivery-attempt.js';
import { DeliveryClaims } from './delivery-claims.js';
import { ReplicaWakeUp, SenderWakeUp } from './sender-wake-up.js';
import { AttemptsRepository } from '../store/attempts.repository.js';
import { DELIVERY_TIMES } from '../store/delivery-times.js';
import { DueDeliveriesRepository } from '../store/due-deliveries.repository.js';
import { LaneLeasesRepository, LEASE_SECONDS } from '../store/lane-leases.repository.js';
import { SenderDatabase } from '../store/sender-database.js';
import { WebhookMetrics } from '../webhook-metrics.js';
import { MAX_IN_FLIGHT } from './slot-shares.js';

const GIVE_BACK_EVERY_MS = 1_000;
/** A delivery that was read at most this long ago is sent and answered within half a lease. */
const LONGEST_WAIT_MS = (LEASE_SECONDS * 1_000) / 2 - ATTEMPT_MS;
/** The pause after a claim, as a multiple of its duration. */
const RESTS = 2;
const LONGEST_REST_MS = 50;
/** The pause when the next claim is not likely to find more. */
const REST_FOR_ANSWERS_MS = 250;

/**
 * Claims due deliveries, sends them and has the results recorded, on any number of replicas. If it is
 * killed, its leases expire: a receiver may get an event twice, and never not at all.
 */
@Injectable()
export class DeliverySender implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeliverySender.name);
  private readonly slots = new Slots(MAX_IN_FLIGHT);
  private readonly loop = new WorkLoop({
    name: 'webhook-deliveries',
    run: () => this.fillSlots(),
    pollMs: UNWOKEN_MS,
    beginsAtRest: true,
  });
  private isStarted = false;
  /** Whether deliveries may have become due that no claim has seen. */
  private isToldOfMore = true;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private lookTookMs = 0;
  private gaveBackAt = 0;
  private resting?: NodeJS.Timeout;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly attempts: DeliveryAttempt,
    private readonly recorder: AttemptRecorder,
    private readonly wakeUp: SenderWakeUp,
    private readonly replicas: ReplicaWakeUp,
    private readonly metrics: WebhookMetrics,
    private readonly clock: ClockDifference,
    poller: DuePoller,
    times: DueTimes,
  ) {
    poller.watch(LaneLeasesRepository.WAITING, () => this.loop.wake());
    times.watch({ times: DELIVERY_TIMES });
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  start(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    this.wakeUp.listen(() => this.tellOfMore());
    this.replicas.listen(() => this.tellOfMore());
    this.loop.start();
  }

  private tellOfMore(): void {
    this.isToldOfMore = true;
    this.loop.wake();
  }

  /** Claims nothing more, and waits until all posts have ended and their results are on record. */
  async stop(): Promise<void> {
    await this.loop.stop();
    clearTimeout(this.resting);
    await this.slots.drained();
    await this.recorder.settled();
    try {
      await this.claims.giveBackAll();
    } catch (error) {
      logFailure(this.logger, error);
    }
  }

  private async fillSlots(): Promise<number> {
    if (this.clock.isUnfit) {
      // Receivers would refuse its timestamps: other replicas deliver.
      await this.claims.giveBackAll();
      return 0;
    }
    const { free } = this.slots;
    if (free === 0 || this.recorder.isFull) return 0;
    const isLooking = !this.isResting();
    const claims = isLooking ? await this.look(free) : this.claims.claimReadAhead(free);
    for (const claim of claims) {
      this.slots.start(
        () => this.deliverInTurn(claim),
        () => this.loop.wake(),
      );
    }
    if (isLooking) await this.giveBackIdle(claims.length === 0);
    return claims.length;
  }

  private async look(free: number): Promise<ClaimedDelivery[]> {
    const startedAt = performance.now();
    this.isToldOfMore = false;
    try {
      return await this.claims.claim(free);
    } catch (error) {
      this.isToldOfMore = true;
      throw error;
    } finally {
      this.lookedAt = performance.now();
      this.lookTookMs = this.lookedAt - startedAt;
    }
  }

  private async giveBackIdle(isUrgent: boolean): Promise<void> {
    if (!isUrgent && performance.now() - this.gaveBackAt < GIVE_BACK_EVERY_MS) return;
    this.gaveBackAt = performance.now();
    await this.claims.giveBackIdle();
  }

  /** Claims under load are spaced out, so that each finds many deliveries. */
  private isResting(): boolean {
    if (this.claims.areLanesLeft) return false;
    const leftMs = this.lookedAt + this.restMs() - performance.now();
    if (leftMs <= 0) return false;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.loop.wake(), leftMs);
    return true;
  }

  private restMs(): number {
    if (!this.isToldOfMore && !this.claims.isMoreKnown) return REST_FOR_ANSWERS_MS;
    return Math.min(RESTS * this.lookTookMs, LONGEST_REST_MS);
  }

  /** In the same slot, the deliveries that were read ahead on the lane follow. */
  private async deliverInTurn(first: ClaimedDelivery): Promise<void> {
    let claim: ClaimedDelivery | undefined = first;
    while (claim) {
      const attempt = await this.send(claim);
      if (!attempt) return;
      this.recorder.record(attempt, this.recorded);
      if (this.loop.isStopping || this.recorder.isFull) return;
      claim = this.claims.claimNext(claim);
    }
  }

  private readonly recorded: RecordListener = ({ claim, result }, outcome) => {
    this.loop.wake();
    if (outcome instanceof Error) {
      logFailure(this.logger, outcome, { deliveryId: claim.deliveryId });
    } else {
      this.metrics.attempts.inc({ outcome: outcome ? outcomeOf(result) : 'void' });
    }
  };

  /** Null when the delivery was not sent; it is given back then. */
  private async send(claim: ClaimedDelivery): Promise<Attempt | null> {
    const waitedMs = performance.now() - claim.readAt;
    // After a machine was suspended another process may hold the lease.
    if (waitedMs > LONGEST_WAIT_MS) {
      this.claims.giveBack(claim);
      return null;
    }
    if (claim.attempt === 1) {
      this.metrics.firstAttempts.observe(claim.waitedSeconds + waitedMs / 1_000);
    }
    try {
      return await this.sent(claim);
    } catch (error) {
      this.claims.giveBackAfterLease(claim);
      logFailure(this.logger, error, { deliveryId: claim.deliveryId });
      return null;
    }
  }

  /**
   * If connecting took too long, the lease is renewed and the post made on the connection that exists
   * by then. The second time the attempt has timed out.
   */
  private async sent(claim: ClaimedDelivery): Promise<Attempt | null> {
    try {
      return await this.attempts.send(claim);
    } catch (error) {
      if (!(error instanceof TooLate)) throw error;
    }
    const renewed = await this.claims.renew(claim);
    if (!renewed) return null;
    try {
      return await this.attempts.send(renewed);
    } catch (error) {
      if (!(error instanceof TooLate)) throw error;
      if (error.hasConnected) return this.attempts.unconnected(renewed);
      // The delay is internal.
      this.claims.giveBack(renewed);
      return null;
    }
  }
}

/** The sender and its parts. */
export const SENDER_PROVIDERS = [
  SenderDatabase,
  LaneLeasesRepository,
  DueDeliveriesRepository,
  AttemptsRepository,
  DeliveryClaims,
  DeliveryAttempt,
  AttemptRecorder,
  DeliverySender,
  ReplicaWakeUp,
  WebhookMetrics,
];

function outcomeOf({ isSuccess, failure }: AttemptResult): string {
  if (isSuccess) return 'succeeded';
  return failure === null ? 'refused' : failure.toLowerCase();
}
