import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Webhook } from '../../support/fake-razorpay.js';
import { inForm } from '../../support/long-form.js';
import { FEE, RazorpayBench } from './payment-bench.js';

const RUNS = inForm({ short: 15, long: 60 });

let bench: RazorpayBench;

beforeAll(async () => {
  bench = await RazorpayBench.start();
});

afterAll(() => bench?.close());

/** What happens at the gateway, in the order in which it does there. */
interface History {
  readonly failedTries: number;
  readonly ending: 'expired' | 'cancelled' | null;
  /** The amounts of the payments; the fee is the right one. */
  readonly payments: readonly number[];
}

const histories = fc.record<History>({
  failedTries: fc.integer({ min: 0, max: 2 }),
  ending: fc.constantFrom(null, 'expired', 'cancelled'),
  payments: fc.array(fc.constantFrom(FEE, FEE, FEE + 100), { maxLength: 3 }),
});

/** What reaches us at one moment: some of the events, the same or others, and a question of ours. */
interface Moment {
  readonly picks: readonly number[];
  readonly asks: boolean;
}

const deliveries = fc.array(
  fc.record<Moment>({
    picks: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
    asks: fc.boolean(),
  }),
  { minLength: 3, maxLength: 8 },
);

/** Lets the history happened at the fake gateway; answers the webhooks that it sends. */
function live(orderId: string, history: History): Webhook[] {
  const { razorpay } = bench;
  const failures = Array.from({ length: history.failedTries }, () => {
    const payment = razorpay.fail(orderId);
    return razorpay.webhook('payment.failed', orderId, { payment });
  });
  const endings = history.ending
    ? [
        (razorpay.end(orderId, history.ending),
        razorpay.webhook(`payment_link.${history.ending}`, orderId)),
      ]
    : [];
  const payments = history.payments.map((amount) => {
    const payment = razorpay.pay(orderId, { amount });
    return razorpay.webhook('payment_link.paid', orderId, { payment });
  });
  return [...failures, ...endings, ...payments];
}

/** Delivers every event at least once, in any order and side by side, with our own questions. */
async function deliver(
  orderId: string,
  webhooks: readonly Webhook[],
  plan: readonly Moment[],
): Promise<void> {
  const left = new Set(webhooks);
  for (const { picks, asks } of plan) {
    const told = webhooks.length > 0 ? picks.map((pick) => webhooks[pick % webhooks.length]) : [];
    const [answers] = await Promise.all([
      Promise.all(told.map((webhook) => bench.callBack(webhook))),
      asks && bench.poll(orderId),
    ]);
    for (const { status } of answers) expect(status).toBe(200);
    for (const webhook of told) left.delete(webhook);
  }
  await Promise.all([...left].map((webhook) => bench.callBack(webhook)));
}

function expectedStatus({ payments, ending, failedTries }: History): string {
  if (payments.includes(FEE)) return 'PAID';
  if (ending) return ending.toUpperCase();
  return failedTries > 0 ? 'FAILED' : 'OPEN';
}

const byAmount = (left: number, right: number) => left - right;

it('any order and repetition of callbacks and questions ends the same, each payment once', async () => {
  await fc.assert(
    fc.asyncProperty(histories, deliveries, async (history, plan) => {
      const orderId = await bench.openOrder();
      const webhooks = live(orderId, history);
      await deliver(orderId, webhooks, plan);

      const { payments } = history;
      expect(await bench.records.status(orderId)).toBe(expectedStatus(history));
      const recorded = await bench.records.payments(orderId);
      const amounts = recorded.map(({ amount }) => amount);
      expect(amounts.toSorted(byAmount)).toEqual([...payments].toSorted(byAmount));
      expect(new Set(recorded.map(({ id }) => id)).size).toBe(payments.length);
      const right = payments.filter((amount) => amount === FEE);
      expect(recorded.filter(({ isCounted }) => isCounted)).toHaveLength(right.length);
      const notices = await bench.records.notices(orderId);
      expect(notices.filter((kind) => kind === 'PAID')).toHaveLength(right.length);
      // A try that failed is nobody's business once the money is there.
      const afterwards = right.length > 0 ? notices.slice(notices.indexOf('PAID')) : [];
      expect(afterwards).not.toContain('FAILED');
      const { subject_id: subject } = await bench.records.order(orderId);
      expect(await bench.records.paymentFlags(subject)).toHaveLength(
        payments.length - right.length,
      );
    }),
    { numRuns: RUNS },
  );
}, 180_000);
