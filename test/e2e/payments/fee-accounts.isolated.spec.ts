// Isolated: a lender with its own payment account, and other configurations after it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { PaymentOrders, Refunds } from '../../../src/payments/index.js';
import { PaymentGateways } from '../../../src/payments/payment-gateways.js';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { eventually } from '../../support/eventually.js';
import { FakeRazorpay, RAZORPAY_ACCOUNT, type Webhook } from '../../support/fake-razorpay.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  hiddenIn,
  orderFee,
  paymentFormOf,
  untilOffered,
} from '../../support/instant-loans.js';
import { partnerClient } from '../../support/partner-client.js';
import { type OwnService, startService } from '../../support/service.js';
import { HOUR_MS, PATIENT, PaymentBench } from './payment-bench.js';

const LENDER = 'navdhara';
const OF_LENDER = {
  keyId: 'rzp_test_ofthelender1',
  keySecret: 'the-lenders-key-secret',
  webhookSecret: 'the-lenders-webhook-secret',
};

const PAGE_HOST = 'pay.navdhara.example';

const FLAGS = 'SELECT kind, detail FROM operator_flags WHERE subject_id = $1 ORDER BY id';

let operator: FakeRazorpay;
let lender: FakeRazorpay;
let configuration: TestConfiguration;
let withoutAccount: TestConfiguration;
let service: OwnService;
let bench: PaymentBench;

beforeAll(async () => {
  operator = await new FakeRazorpay().start();
  lender = await new FakeRazorpay().start();
  lender.account = OF_LENDER;
  lender.idPrefix = 'Lend';
  const account = (settings: object, { url: apiBaseUrl }: FakeRazorpay) => ({
    gateway: 'razorpay',
    razorpay: { ...settings, apiBaseUrl },
  });
  const own = account({ ...OF_LENDER, pageHost: PAGE_HOST }, lender);
  const configured = (payment?: object) =>
    configurationWith(({ lenders }) => ({
      payment: account(RAZORPAY_ACCOUNT, operator),
      lenders: (lenders as { code: string }[]).map((one) => ({
        ...one,
        ...(one.code === LENDER && payment && { payment }),
      })),
    }));
  configuration = configured(own);
  withoutAccount = configured();
  service = await startService({ configFile: configuration.file });
  bench = new PaymentBench(service);
  operator.now = () => bench.service.now();
  lender.now = () => bench.service.now();
});

afterAll(async () => {
  await bench?.close();
  await service?.close();
  await operator?.stop();
  await lender?.stop();
  configuration?.remove();
  withoutAccount?.remove();
});

const callBack = async (webhook: Webhook, path: string) =>
  (await bench.callBack(webhook, path)).status;

/** @param status of the callback */
async function expectPaid(orderId: string, status: number): Promise<void> {
  expect([status, await bench.records.status(orderId)]).toEqual([200, 'PAID']);
}

function paidAt(account: FakeRazorpay, orderId: string): Webhook {
  const payment = account.pay(orderId);
  return account.webhook('payment_link.paid', orderId, { payment });
}

describe('the fee of a lender that names an account', () => {
  it('is paid there, and counts when that account’s secret says so', async () => {
    const id = await bench.openOrder({ payee: LENDER });
    expect(lender.linkOf(id).short_url).toBe((await bench.records.order(id)).url);
    expect(operator.links.size).toBe(0);
    const orders = bench.service.get<PaymentOrders>(PaymentOrders);
    expect(await orders.pageFor(LENDER)).toEqual({ name: 'Razorpay', host: PAGE_HOST });
    expect(await orders.pageFor('kaverisetu')).toEqual({ name: 'Razorpay', host: null });
    await expectPaid(id, await callBack(paidAt(lender, id), `razorpay/${LENDER}`));
  });

  it('goes back from there', async () => {
    const orderId = await bench.openOrder({ payee: LENDER });
    await callBack(paidAt(lender, orderId), `razorpay/${LENDER}`);
    const [{ id: gatewayPaymentId }] = await bench.records.payments(orderId);
    const refund = { partnerId: 'demo', orderId, gatewayPaymentId, reason: 'DECLINED' } as const;
    await bench.transaction((tx) => bench.service.get<Refunds>(Refunds).request(tx, refund));
    await eventually(() => expect(lender.refunds.of(gatewayPaymentId)).toHaveLength(1), PATIENT);
    const [made] = lender.refunds.made;
    const webhook = lender.refundWebhook('refund.processed', lender.refunds.end(made, 'processed'));
    const { subject_id: subjectId } = await bench.records.order(orderId);
    const is = async (status: string) =>
      expect(await bench.records.refunds(subjectId)).toMatchObject([{ status }]);
    await eventually(() => is('PENDING'), PATIENT);
    // The operator's account cannot report on the lender's refund, even with a valid signature.
    const foreign = operator.refundWebhook('refund.processed', made);
    expect(await callBack(foreign, 'razorpay')).toBe(200);
    await is('PENDING');
    expect(await bench.records.flags(subjectId)).toEqual(['OTHER_ACCOUNT']);
    expect(await callBack(webhook, `razorpay/${LENDER}`)).toBe(200);
    await is('DONE');
    expect(operator.refunds.made).toEqual([]);
  });

  it('is out of reach for the secrets of other accounts', async () => {
    const id = await bench.openOrder({ payee: LENDER });
    const paid = paidAt(lender, id);
    // The lender's signature at the addresses of other accounts.
    for (const path of ['razorpay', 'razorpay/kaverisetu', 'sandbox/navdhara'])
      expect(await callBack(paid, path)).toBe(401);
    // The operator's signature on the lender's order.
    lender.account = RAZORPAY_ACCOUNT;
    const foreign = lender.webhook('payment_link.paid', id, { payment: lender.pay(id) });
    lender.account = OF_LENDER;
    for (const _ of [1, 2]) expect(await callBack(foreign, 'razorpay')).toBe(200);
    expect(await bench.records.status(id)).toBe('OPEN');
    // Another account may have received money, so the operator gets one flag.
    const { subject_id: subjectId } = await bench.records.order(id);
    expect(await bench.records.flags(subjectId)).toEqual(['OTHER_ACCOUNT']);
    await expectPaid(id, await callBack(paid, `razorpay/${LENDER}`));
  });

  it('of an instant loan goes to the lender that was chosen', async () => {
    const { json } = await applyForInstantLoan(partnerClient(bench.service), {
      loanAmount: 100_000,
    });
    await orderFee(bench.records, json.data);
    const [{ lenderCode, account }] = await bench.records.query<Record<string, string>>(
      `SELECT f.lender_code AS "lenderCode", o.account FROM journey_fees f
       JOIN payment_orders o ON o.id = f.order_id WHERE f.journey_id = $1`,
      [json.data.journeyId],
    );
    expect({ lenderCode, account }).toEqual({ lenderCode: LENDER, account: LENDER });
  });
});

describe('an id of the operator’s account that a lender’s account has named before', () => {
  it('of an event keeps nothing from being taken in', async () => {
    const ofLender = await bench.openOrder({ payee: LENDER });
    const ours = await bench.openOrder({ payee: 'kaverisetu' });
    const eventId = 'evt_claimed';
    const paid = (account: FakeRazorpay, id: string) =>
      account.webhook('payment_link.paid', id, { payment: account.pay(id), eventId });
    expect(await callBack(paid(lender, ofLender), `razorpay/${LENDER}`)).toBe(200);
    const webhook = paid(operator, ours);
    for (const _ of [1, 2]) await expectPaid(ours, await callBack(webhook, 'razorpay'));
    expect(await bench.records.notices(ours)).toEqual(['PAID']);
  });

  it('of a payment is put before the operator, once: the money is not counted', async () => {
    const ofLender = await bench.openOrder({ payee: LENDER });
    const ours = await bench.openOrder({ payee: 'kaverisetu' });
    const payment = operator.pay(ours);
    lender.pay(ofLender);
    const claim = lender.webhook('payment_link.paid', ofLender, { payment });
    expect(await callBack(claim, `razorpay/${LENDER}`)).toBe(200);
    for (let time = 0; time < 2; time += 1) {
      const paid = operator.webhook('payment_link.paid', ours, { payment });
      expect(await callBack(paid, 'razorpay')).toBe(200);
    }
    const { subject_id: subjectId } = await bench.records.order(ours);
    const facts = {
      gatewayPaymentId: payment.id,
      orderId: ours,
      account: null,
      recordedFor: ofLender,
    };
    expect(await bench.records.query(FLAGS, [subjectId])).toEqual([
      { kind: 'PAYMENT_ID_TWICE', detail: { ...facts, first: facts } },
    ]);
    expect(await bench.records.status(ours)).toBe('OPEN');
    // A repeat for the same order changes nothing.
    expect(await callBack(claim, `razorpay/${LENDER}`)).toBe(200);
    const again = lender.webhook('payment_link.paid', ofLender, { payment });
    expect(await callBack(again, `razorpay/${LENDER}`)).toBe(200);
    const { subject_id: claimant } = await bench.records.order(ofLender);
    expect(await bench.records.flags(claimant)).toEqual([]);
  });
});

it('the fee of a lender that names none is paid to the operator, whom the lender’s secret cannot speak for', async () => {
  const id = await bench.openOrder({ payee: 'kaverisetu' });
  const payment = operator.pay(id);
  operator.account = OF_LENDER;
  const forged = operator.webhook('payment_link.paid', id, { payment });
  operator.account = RAZORPAY_ACCOUNT;
  expect(await callBack(forged, `razorpay/${LENDER}`)).toBe(200);
  expect(await bench.records.status(id)).toBe('OPEN');
  const paid = operator.webhook('payment_link.paid', id, { payment });
  await expectPaid(id, await callBack(paid, 'razorpay'));
});

describe('in production, the fee of a lender that names none any more', () => {
  const gateways = () => bench.service.get<PaymentGateways>(PaymentGateways);
  const setMode = (mode: string) => Object.assign(gateways(), { environment: { mode } });

  afterEach(() => setMode('sandbox'));

  it('is ordered from no account: the application ends in time, and its lender is notified', async () => {
    const { json } = await applyForInstantLoan(partnerClient(bench.service));
    const { journeyId: id, redirectUrl } = json.data;
    const browser = new ApplicantBrowser();
    await untilOffered(browser, redirectUrl);
    const { text } = await browser.openToPay(redirectUrl);
    const form = hiddenIn(paymentFormOf(text)!);
    const applier = bench.service.get<ConfigurationApplier>(ConfigurationApplier);
    await applier.apply(withoutAccount.file, SANDBOX_DEPLOYMENT);
    await bench.service.travel(1_001);
    setMode('production');
    expect((await browser.send(redirectUrl, form)).status).toBe(303);
    await expect(bench.openOrder({ payee: LENDER })).rejects.toThrow(
      'no longer has a payment account',
    );
    await bench.service.travel(73 * HOUR_MS);
    await eventually(async () => expect(await bench.records.state(id)).toBe('ABANDONED'), PATIENT);
    await applier.apply(configuration.file, SANDBOX_DEPLOYMENT);
    await bench.service.travel(1_001);
    const facts = await bench.records.query(
      `SELECT (SELECT count(*)::int FROM payment_orders WHERE subject_id = j.id) AS orders,
         (SELECT count(*)::int FROM lender_questions WHERE subject_id = j.id
          AND kind = 'WITHDRAWAL' AND reference = 'ABANDONED' AND lender_code = o.lender_code) AS notices
       FROM journeys j JOIN journey_offers o ON o.id = j.selected_offer_id WHERE j.id = $1`,
      [id],
    );
    expect(facts).toEqual([{ orders: 0, notices: 1 }]);
  });
});

it('a lender’s account is kept sealed, and applied again it changes nothing', async () => {
  const sealed = () =>
    bench.records.query<{ sealed: string | null }>(
      'SELECT payment_sealed AS sealed FROM lenders ORDER BY position',
    );
  const before = await sealed();
  expect(before.filter((one) => one.sealed !== null)).toHaveLength(1);
  for (const secret of [...Object.values(OF_LENDER), lender.url])
    expect(JSON.stringify(before)).not.toContain(secret);
  const applier = bench.service.get<ConfigurationApplier>(ConfigurationApplier);
  expect(await applier.apply(configuration.file, SANDBOX_DEPLOYMENT)).toMatchObject({
    outcome: 'UNCHANGED',
  });
  expect(await sealed()).toEqual(before);
});
