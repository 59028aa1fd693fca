import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { InstantLoanPages } from '../../../src/instant-loans/applicant/instant-loan-pages.js';
import { CURRENCY, type GatewayOrderState } from '../../../src/payments/index.js';
import { PaymentLedger } from '../../../src/payments/payment-ledger.js';
import { PaymentOrdersRepository } from '../../../src/payments/store/payment-orders.repository.js';
import { SandboxPaymentGateway } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { inForm } from '../../support/long-form.js';
import { InstantLoanBench, JOURNEY, PATIENT, pressToPay } from './instant-loan-bench.js';

const RUNS = inForm({ short: 4, long: 25 });

let bench: InstantLoanBench;
let happenings = 0;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
  // What becomes of the orders is told by the tests alone.
  const gateway = bench.service.get<SandboxPaymentGateway>(SandboxPaymentGateway);
  vi.spyOn(gateway, 'fetchOrder').mockRejectedValue(new Error('away'));
  vi.spyOn(gateway, 'makeRefund').mockImplementation((refund) =>
    Promise.resolve({ ...refund, gatewayRefundId: `back-${refund.key}`, status: 'DONE' }),
  );
});

afterAll(async () => {
  vi.restoreAllMocks();
  await bench?.close();
});

/** An application whose first page was given up for a second one, after a payment that failed. */
interface Loan {
  readonly id: string;
  readonly first: string;
  readonly second: string;
}

async function newLoan(): Promise<Loan> {
  // With one offer: where there is another, the applicant chooses again when the pages are closed.
  const { applicationId: id, redirectUrl } = await bench.apply({ pan: 'SANDX0003A' });
  const pages = bench.service.get<InstantLoanPages>(InstantLoanPages);
  const pay = () => pressToPay(pages, redirectUrl);
  // The gateway gives no page, but may have been told of the order.
  await pay();
  const { payment_order_id: first } = await bench.row(id);
  await isBound(first);
  await tell(first, await standing(id, 'FAILED', { failed: 1 }));
  await bench.reaches(id, 'PAYMENT_FAILED');
  await pay();
  const { payment_order_id: second } = await bench.row(id);
  expect(second).not.toBe(first);
  await isBound(second);
  return { id, first, second };
}

/** Waits until the gateway may have been told of an order: before that it has nothing to say. */
function isBound(orderId: string): Promise<void> {
  return eventually(async () => {
    const [order] = await bench.records.query<{ gateway: string | null }>(
      'SELECT gateway FROM payment_orders WHERE id = $1',
      [orderId],
    );
    expect(order.gateway).toBe('sandbox');
  }, PATIENT);
}

/** What a gateway says, with so many new payments and failed tries. */
async function standing(
  id: string,
  status: GatewayOrderState['status'],
  { paid = 0, failed = 0 } = {},
): Promise<GatewayOrderState> {
  const { fee: amount } = await bench.row(id);
  const next = () => `happening-${(happenings += 1)}`;
  return {
    gatewayOrderId: null,
    url: null,
    status,
    payments: Array.from({ length: paid }, () => ({
      id: next(),
      amount,
      currency: CURRENCY,
      method: 'upi',
      paidAt: bench.service.now(),
    })),
    failedPaymentIds: Array.from({ length: failed }, next),
  };
}

async function tell(orderId: string, told: GatewayOrderState): Promise<void> {
  await bench.transaction(async (tx) => {
    const order = await bench.service
      .get<PaymentOrdersRepository>(PaymentOrdersRepository)
      .lock(tx, orderId);
    await bench.service.get<PaymentLedger>(PaymentLedger).apply(tx, order!, told, 'CALLBACK');
  });
}

async function settles(id: string, status: string): Promise<void> {
  await eventually(async () => {
    const waiting = await bench.records.query(
      `SELECT 1 FROM payment_inbox WHERE subject_id IN (${JOURNEY}) AND consumed_at IS NULL`,
      [id],
    );
    expect([await bench.status(id), waiting.length]).toEqual([status, 0]);
  }, PATIENT);
}

describe('of two orders of one application', () => {
  it('the second one’s end gives way to a payment on the first that waits in the inbox', async () => {
    const { id, first, second } = await newLoan();
    const [ended, paid] = [await standing(id, 'EXPIRED'), await standing(id, 'PAID', { paid: 1 })];
    // In one transaction, so that the end is sure to be processed first.
    await bench.transaction(async (tx) => {
      const orders = bench.service.get<PaymentOrdersRepository>(PaymentOrdersRepository);
      const ledger = bench.service.get<PaymentLedger>(PaymentLedger);
      await ledger.apply(tx, (await orders.lock(tx, second))!, ended, 'CALLBACK');
      await ledger.apply(tx, (await orders.lock(tx, first))!, paid, 'CALLBACK');
    });
    await settles(id, 'SANCTIONED');
    expect(await bench.flags(id)).toEqual([]);
    expect((await bench.row(id)).payment_order_id).toBe(first);
  });

  it('the second one is cancelled once the first was paid after all', async () => {
    const { id, first, second } = await newLoan();
    await tell(first, await standing(id, 'PAID', { paid: 1 }));
    await settles(id, 'SANCTIONED');
    const calledOff = await bench.records.query(
      `SELECT order_id FROM payment_audit WHERE order_id = $1 AND trigger = 'CALLED_OFF'`,
      [second],
    );
    expect(calledOff).toHaveLength(1);
  });

  it.each(['first', 'second'] as const)(
    'the %s to be closed last ends the application when none was paid; a payment then is too late',
    async (last) => {
      const loan = await newLoan();
      const before = last === 'first' ? 'second' : 'first';
      await tell(loan[before], await standing(loan.id, 'CANCELLED'));
      await settles(loan.id, 'PAYMENT_FAILED');
      await tell(loan[last], await standing(loan.id, 'EXPIRED'));
      await settles(loan.id, 'EXPIRED');
      expect(await bench.trail(loan.id)).toContain('FEE_UNPAID ABANDONED');
      await tell(loan.first, await standing(loan.id, 'PAID', { paid: 1 }));
      await settles(loan.id, 'EXPIRED');
      expect(await bench.refunds(loan.id)).toEqual(['PAID_TOO_LATE']);
      expect(await bench.flags(loan.id)).toEqual([]);
    },
  );
});

/** What is told of one order before it is closed, one after another. */
interface History {
  readonly tellings: readonly { readonly paid: number; readonly failed: number }[];
  /** Payments that are first told of together with the end. */
  readonly paidAtEnd: number;
}

const histories = fc.record<History>({
  tellings: fc.array(
    fc.record({ paid: fc.integer({ min: 0, max: 1 }), failed: fc.integer({ min: 0, max: 1 }) }),
    { maxLength: 3 },
  ),
  paidAtEnd: fc.constantFrom(0, 0, 1),
});

const paymentsIn = ({ tellings, paidAtEnd }: History) =>
  tellings.reduce((sum, { paid }) => sum + paid, paidAtEnd);

async function live(id: string, orderId: string, history: History): Promise<void> {
  for (const { paid, failed } of history.tellings) {
    const told = await standing(id, paid > 0 ? 'PAID' : 'OPEN', { paid, failed });
    await Promise.all([tell(orderId, told), tell(orderId, told)]);
  }
  await tell(orderId, await standing(id, 'EXPIRED', { paid: history.paidAtEnd }));
}

it('any histories of two orders at the same moment count one payment, and lose none', async () => {
  await fc.assert(
    fc.asyncProperty(histories, histories, async (ofFirst, ofSecond) => {
      const { id, first, second } = await newLoan();
      await Promise.all([live(id, first, ofFirst), live(id, second, ofSecond)]);
      const payments = paymentsIn(ofFirst) + paymentsIn(ofSecond);
      await settles(id, payments > 0 ? 'SANCTIONED' : 'EXPIRED');
      const spare = Array.from({ length: payments - 1 }, () => 'PAID_TWICE');
      expect(await bench.refunds(id)).toEqual(payments > 1 ? spare : []);
      expect(await bench.flags(id)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}, 300_000);
