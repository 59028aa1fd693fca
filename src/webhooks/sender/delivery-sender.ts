import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import {
  ClockDifference,
  DuePoller,
  logFailure,
  Slots,
  TooLate,
  UNWOKEN_MS,
  WorkLoop,
} from '../../platform/index.js';
import {
  type Attempt,
  type AttemptResult,
  AttemptsRepository,
} from '../store/attempts.repository.js';
import { SenderDatabase } from '../store/sender-database.js';
import { LEASE_SECONDS, MAX_POSTS } from '../store/lane-claim-statements.js';
import { type ClaimedDelivery, LaneClaimsRepository } from '../store/lane-claims.repository.js';
import { WebhookMetrics } from '../webhook-metrics.js';
import { AttemptRecorder, type RecordListener } from './attempt-recorder.js';
import { ATTEMPT_MS, DeliveryAttempt } from './delivery-attempt.js';
import { DeliveryClaims } from './delivery-claims.js';
import { ReplicaWakeUp, SenderWakeUp } from './sender-wake-up.js';

/** Deliveries claimed at most this long ago finish within half a lease. */
const LONGEST_WAIT_MS = (LEASE_SECONDS * 1_000) / 2 - ATTEMPT_MS;
/** The pause after a claim, as a multiple of its duration. */
const PAUSE_FACTOR = 2;
const LONGEST_PAUSE_MS = 50;
/** The pause when the next claim is unlikely to find more. */
const IDLE_PAUSE_MS = 250;

/**
 * Runs on any number of replicas. If killed, its leases expire: a receiver may get an event twice,
 * but never misses one.
 */
@Injectable()
export class DeliverySender implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeliverySender.name);
  private readonly posts = new Slots(MAX_POSTS);
  private readonly loop = new WorkLoop({
    name: 'webhook-deliveries',
    run: () => this.claimAndStart(),
    pollMs: UNWOKEN_MS,
    beginsAtRest: true,
  });
  private isStarted = false;
  /** Whether deliveries may have become due since the last claim. */
  private isWoken = true;
  private claimedAt = Number.NEGATIVE_INFINITY;
  private claimTookMs = 0;
  private pause?: NodeJS.Timeout;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly attempts: DeliveryAttempt,
    private readonly recorder: AttemptRecorder,
    private readonly wakeUp: SenderWakeUp,
    private readonly replicas: ReplicaWakeUp,
    private readonly metrics: WebhookMetrics,
    private readonly clock: ClockDifference,
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
    this.wakeUp.listen(() => this.wake());
    this.replicas.listen(() => this.wake());
    this.loop.start();
  }

  poll(): void {
    this.loop.wake();
  }

  /** Stops claiming; resolves when all posts have ended and are recorded. */
  async stop(): Promise<void> {
    await this.loop.stop();
    clearTimeout(this.pause);
    await this.posts.drained();
    await this.recorder.settled();
    try {
      await this.claims.releaseAll();
    } catch (error) {
      logFailure(this.logger, error);
    }
  }

  private wake(): void {
    this.isWoken = true;
    this.loop.wake();
  }

  private async claimAndStart(): Promise<number> {
    if (this.clock.isUnfit) {
      // Receivers would refuse its timestamps; other replicas deliver.
      await this.claims.releaseAll();
      return 0;
    }
    if (this.recorder.isFull || this.isPausing()) return 0;
    const claims = await this.claim();
    for (const claim of claims) {
      this.posts.start(
        () => this.deliverInSequence(claim),
        () => this.loop.wake(),
      );
    }
    await this.claims.releaseIdle();
    return claims.length;
  }

  private async claim(): Promise<ClaimedDelivery[]> {
    const startedAt = performance.now();
    this.isWoken = false;
    try {
      return await this.claims.claim();
    } catch (error) {
      this.isWoken = true;
      throw error;
    } finally {
      this.claimedAt = performance.now();
      this.claimTookMs = this.claimedAt - startedAt;
    }
  }

  /** Spaces out claims under load, so that each finds many deliveries. */
  private isPausing(): boolean {
    const isUrgent = this.isWoken || this.claims.isMoreExpected;
    const pauseMs = isUrgent
      ? Math.min(PAUSE_FACTOR * this.claimTookMs, LONGEST_PAUSE_MS)
      : IDLE_PAUSE_MS;
    const leftMs = this.claimedAt + pauseMs - performance.now();
    if (leftMs <= 0) return false;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.loop.wake(), leftMs);
    return true;
  }

  private async deliverInSequence(first: ClaimedDelivery): Promise<void> {
    let claim: ClaimedDelivery | undefined = first;
    while (claim) {
      const attempt = await this.send(claim);
      if (!attempt) return;
      this.recorder.record(attempt, this.recorded);
      if (this.loop.isStopping || this.recorder.isFull) return;
      claim = this.claims.next(claim);
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

  /** Null if the delivery was not sent and is released. */
  private async send(claim: ClaimedDelivery): Promise<Attempt | null> {
    const waitedMs = performance.now() - claim.readAt;
    // If the machine was suspended, another process may hold the lease.
    if (waitedMs > LONGEST_WAIT_MS) {
      this.claims.releaseUnsent(claim);
      return null;
    }
    if (claim.attempt === 1) {
      this.metrics.firstAttempts.observe(claim.waitedSeconds + waitedMs / 1_000);
    }
    try {
      return await this.sendOnTime(claim);
    } catch (error) {
      this.claims.releaseAfterLease(claim);
      logFailure(this.logger, error, { deliveryId: claim.deliveryId });
      return null;
    }
  }

  /**
   * If connecting took too long, renews the lease and retries on the open connection. A second
   * delay is a timeout.
   */
  private async sendOnTime(claim: ClaimedDelivery): Promise<Attempt | null> {
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
      if (error.hasConnected) return this.attempts.connectionTimeout(renewed);
      // The delay is internal.
      this.claims.releaseUnsent(renewed);
      return null;
    }
  }
}

@Injectable()
class DeliveryPolling {
  constructor(poller: DuePoller, sender: DeliverySender) {
    poller.watch(LaneClaimsRepository.WAITING, () => sender.poll());
  }
}

export const SENDER_PROVIDERS = [
  SenderDatabase,
  LaneClaimsRepository,
  AttemptsRepository,
  DeliveryClaims,
  DeliveryAttempt,
  AttemptRecorder,
  DeliverySender,
  DeliveryPolling,
  ReplicaWakeUp,
  WebhookMetrics,
];

function outcomeOf({ isSuccess, failure }: AttemptResult): string {
  if (isSuccess) return 'succeeded';
  return failure === null ? 'refused' : failure.toLowerCase();
}
