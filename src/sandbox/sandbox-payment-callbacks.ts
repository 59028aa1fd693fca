import { Injectable } from '@nestjs/common';
import {
  ClaimWorker,
  DuePoller,
  type Environment,
  exponentialBackoff,
  InjectEnvironment,
  isLoggedOutage,
  Keyring,
  OutboundClient,
  RandomSource,
} from '../platform/index.js';
import { callbackBody, signedHeaders } from './payment-callback.js';
import { SandboxPayments } from './sandbox-payments.js';
import { SandboxPaymentGateway } from './sandbox-payment.gateway.js';
import {
  type DueCallback,
  SandboxPaymentsRepository,
} from './store/sandbox-payments.repository.js';

const SLOTS = 8;
const DEADLINE_MS = 5_000;
const LEASE_SECONDS = 15;
const BACKOFF = { firstMs: 500, maxMs: 300_000, jitter: 0.2 };

/** Like a real gateway's: over HTTP, signed, repeated until this service returns 200. */
@Injectable()
export class SandboxPaymentCallbacks extends ClaimWorker<DueCallback> {
  constructor(
    private readonly callbacks: SandboxPaymentsRepository,
    private readonly payments: SandboxPayments,
    private readonly gateway: SandboxPaymentGateway,
    private readonly outbound: OutboundClient,
    private readonly keyring: Keyring,
    private readonly random: RandomSource,
    @InjectEnvironment private readonly environment: Environment,
    poller: DuePoller,
  ) {
    super('sandbox-payment-callbacks', SLOTS, poller, SandboxPaymentsRepository.DUE);
    payments.decisions.listen((seconds) => this.wakeIn(seconds * 1_000));
  }

  protected claim(free: number): Promise<DueCallback[]> {
    return this.callbacks.claimCallbacks(free, LEASE_SECONDS);
  }

  protected async work(due: DueCallback): Promise<void> {
    try {
      const isTaken = await this.post(due.orderId);
      if (isTaken) await this.callbacks.recordSent(due);
      else await this.postpone(due);
    } catch (error) {
      if (!isLoggedOutage(error)) this.logger.warn({ err: error, order: due.orderId });
      await this.postpone(due).catch(() => undefined);
    }
  }

  private async post(orderId: string): Promise<boolean> {
    const payment = await this.payments.find(orderId);
    if (!payment) return true;
    const body = callbackBody(payment, this.gateway.urlOf(payment));
    const { status } = await this.outbound.post(
      `${this.environment.baseUrl}/callbacks/payments/sandbox`,
      {
        headers: signedHeaders(body, this.keyring),
        body,
        deadlineMs: DEADLINE_MS,
        maxResponseBytes: 1_024,
      },
    );
    return status === 200;
  }

  private async postpone(due: DueCallback): Promise<void> {
    const wait = exponentialBackoff(due.failures + 1, BACKOFF, this.random.fraction());
    await this.callbacks.postpone(due, wait);
    this.wakeIn(wait);
  }

  private wakeIn(milliseconds: number): void {
    setTimeout(() => this.wake(), milliseconds).unref();
  }
}
