import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRODUCTION_GATEWAYS } from '../../support/production-configuration.js';
import { signedWebhook, type Webhook } from '../../support/fake-razorpay.js';
import { type ProductionService, startProduction } from '../contract/production-service.js';

let service: ProductionService;

beforeAll(async () => {
  service = await startProduction();
});

afterAll(() => service?.close());

const post = (path: string, { headers, body }: Webhook) =>
  fetch(`${service.address}${path}`, { method: 'POST', headers, body });

describe('in production', () => {
  it('takes Razorpay’s callbacks with the secret of the configuration alone', async () => {
    const { webhookSecret } = PRODUCTION_GATEWAYS.payment.razorpay;
    const right = signedWebhook({ event: 'payment_link.paid' }, 'evt_1', webhookSecret);
    expect((await post('/callbacks/payments/razorpay', right)).status).toBe(200);
    const wrong = signedWebhook({ event: 'payment_link.paid' }, 'evt_2', 'another');
    expect((await post('/callbacks/payments/razorpay', wrong)).status).toBe(401);
  });

  it('there is no simulated gateway, neither its page nor its callback', async () => {
    const any = signedWebhook({}, 'evt_3');
    expect((await post('/callbacks/payments/sandbox', any)).status).toBe(404);
    expect((await fetch(`${service.address}/sandbox/payment/any`)).status).toBe(404);
    expect((await post('/sandbox/payment/any', any)).status).toBe(404);
  });
});
