import { afterAll, beforeAll, describe } from 'vitest';
import type { OrderToCreate, ReceivedCallback } from '../../../src/payments/index.js';
import { callbackBody, signedHeaders } from '../../../src/sandbox/payment-callback.js';
import { SandboxPayments } from '../../../src/sandbox/sandbox-payments.js';
import { IdGenerator, Keyring } from '../../../src/platform/index.js';
import { describeGateway, type GatewayStage } from './gateway-contract.js';
import { HOUR_MS, type PaymentBench, RazorpayBench, startSandboxBench } from './payment-bench.js';

function newOrder(bench: PaymentBench): OrderToCreate {
  const orderId = bench.service.get<IdGenerator>(IdGenerator).next('pay');
  return { orderId, account: null, ...bench.newOrder() };
}

describe('Razorpay’s adapter', () => {
  let bench: RazorpayBench;
  let stage: GatewayStage;

  beforeAll(async () => {
    bench = await RazorpayBench.start();
    stage = razorpayStage(bench);
  });

  afterAll(() => bench?.close());

  describeGateway(() => stage);
});

describe('the sandbox’s adapter', () => {
  let bench: PaymentBench;
  let stage: GatewayStage;

  beforeAll(async () => {
    bench = await startSandboxBench();
    stage = sandboxStage(bench);
  });

  afterAll(() => bench?.close());

  describeGateway(() => stage);
});

function razorpayStage(bench: RazorpayBench): GatewayStage {
  const { razorpay } = bench;
  const last = new Map<string, () => ReceivedCallback>();
  const received = (
    event: string,
    order: OrderToCreate,
    payment: ReturnType<typeof razorpay.pay>,
  ) => {
    const webhook = razorpay.webhook(event, order.orderId, { payment });
    return () => ({ headers: webhook.headers, body: Buffer.from(webhook.body) });
  };
  return {
    gateway: bench.gateway('razorpay'),
    newOrder: () => newOrder(bench),
    pay: async (order) => {
      last.set(order.orderId, received('payment_link.paid', order, razorpay.pay(order.orderId)));
      return Promise.resolve();
    },
    fail: async (order) => {
      last.set(order.orderId, received('payment.failed', order, razorpay.fail(order.orderId)));
      return Promise.resolve();
    },
    passExpiry: async ({ orderId }) => {
      razorpay.end(orderId, 'expired');
      return Promise.resolve();
    },
    giveBack: async ({ orderId }) => {
      const [refund] = razorpay.refunds.made.slice(-1);
      razorpay.refunds.end(refund, 'processed');
      const webhook = razorpay.refundWebhook('refund.processed', refund);
      last.set(orderId, () => ({ headers: webhook.headers, body: Buffer.from(webhook.body) }));
      return Promise.resolve();
    },
    callback: ({ orderId }) => Promise.resolve(last.get(orderId)!()),
  };
}

function sandboxStage(bench: PaymentBench): GatewayStage {
  const gateway = bench.gateway('sandbox');
  const visit = async ({ orderId }: OrderToCreate, outcome: string) => {
    const state = await gateway.fetchOrder({ orderId, gatewayOrderId: null, account: null });
    const answer = await fetch(state!.url!, {
      method: 'POST',
      body: new URLSearchParams({ outcome, method: 'upi' }),
      redirect: 'manual',
    });
    if (answer.status !== 303) throw new Error(`the page answered ${answer.status}`);
  };
  return {
    gateway,
    newOrder: () => newOrder(bench),
    pay: (order) => visit(order, 'pay'),
    fail: (order) => visit(order, 'fail'),
    passExpiry: () => bench.service.travel(73 * HOUR_MS),
    giveBack: () => bench.service.travel(3_000),
    callback: async ({ orderId }) => {
      const payment = await bench.service.get<SandboxPayments>(SandboxPayments).find(orderId);
      const body = callbackBody(payment!, 'http://127.0.0.1/sandbox/payment/x');
      const headers = signedHeaders(body, bench.service.get<Keyring>(Keyring));
      return { headers, body: Buffer.from(body) };
    },
  };
}
