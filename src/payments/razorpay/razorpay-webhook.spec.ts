import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../platform/index.js';
import { readWebhook, verifyWebhook } from './razorpay-webhook.js';

const SECRET = 'the-webhook-secret';
const LINK = { id: 'plink_ExjpAUN3gVHrPJ', reference_id: 'pay_1', status: 'paid' };
const PAYMENT = {
  id: 'pay_EeFR5WTMcC5Ahq',
  amount: 117_900,
  currency: 'INR',
  status: 'captured',
  method: 'upi',
  created_at: 1_591_097_057,
};
const REFUND = { id: 'rfnd_1', payment_id: PAYMENT.id, amount: 100, status: 'processed' };

function webhook(event: unknown, entities: Record<string, unknown> = {}) {
  const wrapped = Object.entries(entities).map(([name, entity]) => [name, { entity }]);
  return received(JSON.stringify({ event, payload: Object.fromEntries(wrapped) }));
}

function received(text: string) {
  const body = Buffer.from(text);
  const signature = createHmac('sha256', SECRET).update(body).digest('hex');
  return { headers: { 'x-razorpay-signature': signature }, body };
}

const paidBy = (payment: object, link: object = {}) =>
  readWebhook(
    webhook('payment_link.paid', {
      payment_link: { ...LINK, ...link },
      payment: { ...PAYMENT, ...payment },
    }),
  ).about;

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
  return 'none';
}

describe('the signature of a webhook', () => {
  const { headers, body } = webhook('payment_link.paid', { payment_link: LINK });
  const right = headers['x-razorpay-signature'];
  const refusal = (given: unknown, bytes = body, secret = SECRET) => {
    const signed = { 'x-razorpay-signature': given as string };
    return codeOf(() => verifyWebhook({ headers: signed, body: bytes }, secret));
  };

  it('is of these bytes and this secret, in hex of either case', () => {
    expect([refusal(right), refusal(right.toUpperCase())]).toEqual(['none', 'none']);
    const other = right.startsWith('0') ? '1' : '0';
    for (const given of [undefined, '', other + right.slice(1), right.slice(1), 'x'.repeat(64)])
      expect([given, refusal(given)]).toEqual([given, 'invalid_signature']);
    for (const bytes of [
      '',
      `${body.toString()} `,
      JSON.stringify(JSON.parse(body.toString()), null, 1),
    ])
      expect(refusal(right, Buffer.from(bytes))).toBe('invalid_signature');
    expect(refusal(right, body, 'another-secret')).toBe('invalid_signature');
  });
});

describe('a webhook', () => {
  it.each(['', 'no JSON', '[]', '"text"', 'null', '\0'])('is no %j', (text) => {
    expect(codeOf(() => readWebhook(received(text)))).toBe('malformed_json');
  });

  it.each([
    ['its link', { description: '#ExjpAUN3gVHrPJ', notes: [] }, null, LINK.id],
    ['our order in its notes', { description: null, notes: { order_id: 'pay_1' } }, 'pay_1', null],
  ])('of a failed payment is about the order of %s', (_, named, orderId, gatewayOrderId) => {
    const failed = { ...PAYMENT, ...named, status: 'failed' };
    expect(readWebhook(webhook('payment.failed', { payment: failed })).about).toMatchObject({
      orderId,
      gatewayOrderId,
      state: { status: 'FAILED', failedPaymentIds: [PAYMENT.id] },
    });
  });

  it('of a refund is about the refund, unless its name and state disagree', () => {
    const refundIn = (event: string) => readWebhook(webhook(event, { refund: REFUND })).refund;
    expect(refundIn('refund.processed')).toMatchObject({ status: 'DONE', amount: 100 });
    expect(refundIn('refund.failed')).toBeUndefined();
    expect(refundIn('refund.speed_changed')).toBeUndefined();
  });

  it.each<[unknown, Record<string, unknown>?]>([
    ['payment_link.paid'],
    ['payment_link.paid', { payment_link: { reference_id: 7 } }],
    ['payment_link.paid', { payment_link: 'text' }],
    ['payment.captured', { payment: PAYMENT }],
    ['payment.failed', { payment: { id: 'pay_2', notes: [] } }],
    ['refund.processed', { refund: {} }],
    [17],
    [undefined],
  ])('%j with %j is about no order or refund of the service', (event, entities) => {
    const { about, refund } = readWebhook(webhook(event, entities));
    expect([about, refund]).toEqual([null, undefined]);
  });
});

describe('what PostgreSQL cannot keep', () => {
  const UNKEEPABLE = ['\0', 'a\0b', 'plink_\ud800', '\udc00\ud800', 'x'.repeat(8_800)];

  it.each(UNKEEPABLE)('is no id, no currency and no method: %j', (text) => {
    expect(paidBy({}, { id: text, reference_id: text })).toBeNull();
    for (const unread of [{ id: text }, { currency: text }])
      expect(paidBy(unread)).toMatchObject({ orderId: 'pay_1', state: null });
    expect(paidBy({ method: text })?.state?.payments).toMatchObject([{ method: null }]);
  });

  it.each([9_007_199_254_740_991, 253_402_300_800])('is no time: %i', (at) => {
    expect(paidBy({ created_at: at })).toMatchObject({ state: null });
  });

  it('is in no event, whatever the fields hold', () => {
    const value = fc.oneof(fc.constantFrom(...UNKEEPABLE), fc.jsonValue(), fc.string());
    const names = { link: Object.keys(LINK), payment: Object.keys(PAYMENT) };
    const changes = fc.record({
      event: fc.constantFrom('payment_link.paid', 'payment_link.cancelled', 'payment.failed'),
      link: fc.dictionary(fc.constantFrom(...names.link), value),
      payment: fc.dictionary(fc.constantFrom(...names.payment, 'notes', 'description'), value),
    });
    const texts = (held: unknown): string[] =>
      typeof held === 'string'
        ? [held]
        : typeof held === 'object' && held !== null
          ? Object.values(held).flatMap(texts)
          : [];
    fc.assert(
      fc.property(changes, ({ event, link, payment }) => {
        const entities = {
          payment_link: { ...LINK, ...link },
          payment: { ...PAYMENT, ...payment },
        };
        for (const text of texts(readWebhook(webhook(event, entities)))) {
          expect(text.length).toBeLessThanOrEqual(800);
          expect(text).not.toMatch(/[\0\p{Cs}]/u);
        }
      }),
    );
  });
});
