import type { ReceivedCall, Reply } from './faulty-server.ts';
import type { PaymentEntity } from './fake-razorpay.ts';

export interface RefundEntity extends Record<string, unknown> {
  id: string;
  entity: 'refund';
  amount: number;
  currency: string;
  payment_id: string;
  receipt: string | null;
  status: string;
  created_at: number;
}

interface Surroundings {
  readonly payment: (id: string) => PaymentEntity | undefined;
  readonly nextId: () => string;
  readonly seconds: () => number;
  readonly refuse: (description: string) => Reply;
}

/**
 * Razorpay's refunds as documented (https://razorpay.com/docs/api/refunds): of captured payments only, never more than
 * was paid, and one per idempotency key.
 */
export class FakeRefunds {
  readonly made: RefundEntity[] = [];
  startsAs = 'pending';
  forgetsKeys = false;
  private readonly byKey = new Map<string, { body: string; refund: RefundEntity }>();
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  of(paymentId: string): RefundEntity[] {
    return this.made.filter(({ payment_id }) => payment_id === paymentId);
  }

  totalOf(paymentId: string): number {
    return this.of(paymentId)
      .filter(({ status }) => status !== 'failed' && status !== 'reversed')
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  end(refund: RefundEntity, status: 'processed' | 'failed' | 'reversed'): RefundEntity {
    refund.status = status;
    this.mark(refund.payment_id);
    return refund;
  }

  make(paymentId: string, { headers, body }: ReceivedCall): Reply {
    const key = headers['x-refund-idempotency'];
    const text = JSON.stringify(body);
    if (key !== undefined) {
      if (typeof key !== 'string' || !/^[\w-]{10,}$/.test(key)) {
        return this.around.refuse('The idempotency key is invalid.');
      }
      const known = this.forgetsKeys ? undefined : this.byKey.get(key);
      if (known?.body === text) return { status: 200, body: known.refund };
      if (known) {
        return this.around.refuse(
          'Different request with the same idempotency key has already been processed.',
        );
      }
    }
    const payment = this.around.payment(paymentId);
    if (!payment) return this.around.refuse('The id provided does not exist');
    const { amount, receipt } = body;
    if (payment.status === 'failed') {
      return this.around.refuse('The payment status should be captured for action to be taken');
    }
    if (this.totalOf(paymentId) >= payment.amount) {
      return this.around.refuse('The payment has been fully refunded already');
    }
    if (!Number.isInteger(amount) || Number(amount) > payment.amount - this.totalOf(paymentId)) {
      return this.around.refuse(
        'The total refund amount is greater than the refund payment amount',
      );
    }
    const refund: RefundEntity = {
      id: `rfnd_${this.around.nextId()}`,
      entity: 'refund',
      amount: Number(amount),
      currency: payment.currency,
      payment_id: paymentId,
      notes: [],
      receipt: typeof receipt === 'string' ? receipt : null,
      acquirer_data: { arn: null },
      created_at: this.around.seconds(),
      batch_id: null,
      status: this.startsAs,
      speed_processed: 'normal',
      speed_requested: 'normal',
    };
    this.made.push(refund);
    this.mark(paymentId);
    if (typeof key === 'string') this.byKey.set(key, { body: text, refund });
    return { status: 200, body: refund };
  }

  list(paymentId: string): Reply {
    const items = this.of(paymentId);
    return { status: 200, body: { entity: 'collection', count: items.length, items } };
  }

  show(id: string): Reply {
    const refund = this.made.find((one) => one.id === id);
    return refund
      ? { status: 200, body: refund }
      : this.around.refuse('The id provided does not exist');
  }

  private mark(paymentId: string): void {
    const payment = this.around.payment(paymentId);
    if (!payment) return;
    payment.amount_refunded = this.totalOf(paymentId);
    const isAll = payment.amount_refunded === payment.amount;
    payment.refund_status = isAll ? 'full' : null;
    payment.status = isAll ? 'refunded' : 'captured';
  }
}
