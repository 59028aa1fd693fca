// Isolated: its process is killed.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  openGateway,
  orderFee,
} from '../../support/instant-loans.js';
import { inForm, IS_LONG_FORM } from '../../support/long-form.js';
import { partnerClient } from '../../support/partner-client.js';
import { PATIENT } from '../payments/payment-bench.js';
import { SpawnedPayments } from '../payments/spawned-payments.js';
import { MINUTE } from './instant-loan-bench.js';

const LEASE_MS = 46_000;

const UNREACHABLE = Array.from({ length: 200 }, () => ({ hangUp: true }) as const);

// It starts a process for every point at which one is killed.
vi.setConfig({ testTimeout: inForm({ short: 300_000, long: 480_000 }), hookTimeout: 120_000 });

const ONE = ['a process of its own', 1] as const;

const TWO = ['two replicas', 2] as const;

describe('a payment that begins', () => {
  /** Of its lenders two answer after ten seconds by the service's clock, and one never. */
  const SLOW = 'SANDX0002A';
  const ANSWERS_MS = 11_000;
  const OPEN_LINK = /^POST \/v1\/payment_links$/;
  const CANCEL_LINK = /^POST \/v1\/payment_links\/\w+\/cancel$/;
  let stage: SpawnedPayments;
  let razorpay: SpawnedPayments['razorpay'];

  afterEach(() => stage?.close());

  /** An application as its rows have it. */
  class Application {
    private constructor(
      readonly id: string,
      private readonly path: string,
    ) {}

    static async create(): Promise<Application> {
      const { json } = await applyForInstantLoan(partnerClient(stage.service), { pan: SLOW });
      const { applicationId, redirectUrl } = json.data;
      return new Application(applicationId, new URL(redirectUrl).pathname);
    }

    /** Its page, at the process that has been running longest. */
    get url(): string {
      return `${stage.service.baseUrl}${this.path}`;
    }

    async row() {
      const [row] = await stage.records.query<{
        status: string;
        offerId: string | null;
        wanted: string | null;
        agreedAt: Date | null;
        orderId: string | null;
        fee: number;
      }>(
        `SELECT status, offer_id AS "offerId", wanted_offer_id AS wanted, agreed_at AS "agreedAt",
         payment_order_id AS "orderId", fee::int FROM instant_loans WHERE id = $1`,
        [this.id],
      );
      return row;
    }

    async offers(): Promise<{ id: string; fee: number }[]> {
      return stage.records.query(
        `SELECT id, (quote ->> 'processingFees')::int AS fee FROM instant_offers
       WHERE application_id = $1 AND standing = 'OFFERED'`,
        [this.id],
      );
    }

    async orders(): Promise<{ id: string; status: string; isCalledOff: boolean }[]> {
      return stage.records.query(
        `SELECT id, status, closing IS NOT NULL AS "isCalledOff" FROM payment_orders
       WHERE subject_id = $1 ORDER BY id`,
        [this.id],
      );
    }

    /** How often each of its audit's steps is there, of those that count. */
    async steps(): Promise<Record<string, number>> {
      const rows = await stage.records.query<{ trigger: string; times: number }>(
        `SELECT trigger, count(*)::int AS times FROM instant_loan_audit
       WHERE application_id = $1 AND trigger NOT IN ('LENDER_ANSWERED', 'LENDER_MISSED') GROUP BY 1`,
        [this.id],
      );
      return Object.fromEntries(rows.map(({ trigger, times }) => [trigger, times]));
    }
  }

  /**
   * Lets something begin, and kills who is at it when its row of an audit is to be written: in the middle of its
   * transaction.
   */
  async function killAtAudit(table: string, begin: () => Promise<unknown>): Promise<void> {
    const held = await HeldLock.take(stage.databaseUrl, `LOCK TABLE ${table} IN SHARE MODE`);
    const begun = begin().catch(() => 'no answer');
    const [{ name }] = await held.waiting(`INSERT INTO "${table}"`);
    await stage.kill(name);
    await held.release();
    await begun;
    await stage.untilGone();
  }

  /** Has something begin; in the long form the process that does it is killed, and another goes on. */
  async function beginOrKill(begin: () => Promise<unknown>): Promise<void> {
    if (IS_LONG_FORM) await killInLongForm(begin);
    else await begin();
  }

  /** In the long form: has an applicant begin in vain, and sees that nothing came of it. */
  async function killInLongForm(
    begin: () => Promise<unknown>,
    isAsBefore: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    if (!IS_LONG_FORM) return;
    await killAtAudit('instant_loan_audit', begin);
    await isAsBefore();
    await stage.restart();
  }

  /**
   * Kills the process that has a deed done at the gateway before its answer is recorded. In the long form the gateway is away at
   * first, and the deed is done by a new process, as the others stand still.
   */
  async function killAfterDeed(
    call: RegExp,
    begin: () => Promise<unknown>,
    isDone: () => unknown,
  ): Promise<void> {
    if (!IS_LONG_FORM) {
      razorpay.failNext(call, { keepWaiting: true });
      const begun = begin().catch(() => 'no answer');
      await eventually(isDone, PATIENT);
      await stage.kill();
      await begun;
      return;
    }
    razorpay.failNext(call, ...UNREACHABLE);
    await begin();
    await stage.kill();
    const goOn = stage.freeze();
    razorpay.recover();
    razorpay.failNext(call, { keepWaiting: true });
    await stage.restart();
    await stage.records.travel(LEASE_MS);
    await eventually(isDone, PATIENT);
    await stage.kill(stage.newest);
    goOn();
  }

  it.each(inForm({ short: [ONE], long: [ONE, TWO] }))(
    'killed between the choice, the order and the page of the payment, one is ordered and paid: %s',
    async (_, replicas) => {
      stage = await SpawnedPayments.open(replicas);
      ({ razorpay } = stage);
      const loan = await Application.create();
      const press = () => new ApplicantBrowser().press(loan.url);

      // The lenders' offers, and the choice among them.
      await beginOrKill(() => stage.records.travel(ANSWERS_MS));
      await eventually(async () => expect(await loan.offers()).toHaveLength(2), PATIENT);
      await beginOrKill(() => stage.records.travel(2 * MINUTE));
      await eventually(async () => expect((await loan.row()).offerId).not.toBeNull(), PATIENT);

      // The choice of the offer that leads.
      const leading = (await loan.row()).offerId!;
      const chooseLeading = () => new ApplicantBrowser().choose(loan.url, leading);
      await killInLongForm(chooseLeading, async () => {
        expect(await loan.row()).toMatchObject({ offerId: leading, wanted: null });
      });
      await chooseLeading();
      expect(await loan.row()).toMatchObject({ offerId: leading, wanted: leading, agreedAt: null });

      // The agreement and the order, which are one.
      const lines = ['instant_loan_audit', 'payment_audit'];
      for (const table of inForm({ short: lines.slice(1), long: lines })) {
        await killAtAudit(table, press);
        expect(await loan.row()).toMatchObject({ agreedAt: null, orderId: null });
        expect(await loan.orders()).toEqual([]);
        await stage.restart();
      }

      // Ordered, and the gateway does not know; then it does, and nobody here.
      await killAfterDeed(OPEN_LINK, press, async () => {
        razorpay.linkOf((await loan.row()).orderId!);
      });
      const { orderId: first, fee } = await loan.row();
      expect(await loan.orders()).toEqual([{ id: first, status: 'NEW', isCalledOff: false }]);
      await stage.restart();
      await stage.records.travel(LEASE_MS);
      await eventually(async () => {
        expect(await loan.orders()).toMatchObject([{ id: first, status: 'OPEN' }]);
      }, PATIENT);
      expect([razorpay.links.size, razorpay.linkOf(first!).amount]).toEqual([1, fee]);
      const { short_url: page } = razorpay.linkOf(first!);
      expect(await openGateway(new ApplicantBrowser(), loan.url)).toBe(page);

      // Another offer: wanted, and then its predecessor's page closed.
      const { offerId } = await loan.row();
      const other = (await loan.offers()).find(({ id }) => id !== offerId)!;
      const choose = () => new ApplicantBrowser().choose(loan.url, other.id);
      await killInLongForm(choose, async () => {
        expect(await loan.row()).toMatchObject({ offerId, wanted: offerId, orderId: first });
        expect(await loan.orders()).toMatchObject([{ status: 'OPEN', isCalledOff: false }]);
      });
      await killAfterDeed(CANCEL_LINK, choose, () =>
        expect(razorpay.linkOf(first!).status).toBe('cancelled'),
      );
      expect(await loan.row()).toMatchObject({ offerId, wanted: other.id });
      await stage.restart();
      await stage.records.travel(LEASE_MS);
      await eventually(async () => {
        expect(await loan.row()).toMatchObject({
          offerId: other.id,
          wanted: other.id,
          orderId: null,
          agreedAt: null,
        });
      }, PATIENT);

      // It is paid for once, by its own fee.
      await openGateway(new ApplicantBrowser(), loan.url);
      const { orderId: second } = await loan.row();
      const payment = razorpay.pay(second!);
      expect([second === first, payment.amount]).toEqual([false, other.fee]);
      const paid = razorpay.webhook('payment_link.paid', second!, { payment });
      expect((await stage.callBack(paid)).status).toBe(200);
      await eventually(async () => {
        expect((await loan.row()).status).toBe('PAYMENT_RECEIVED');
      }, PATIENT);
      const decisions = await stage.records.query(
        `SELECT 1 FROM lender_questions WHERE subject_id = $1 AND kind = 'DECISION'`,
        [loan.id],
      );
      expect(decisions).toHaveLength(1);
      expect(razorpay.links.size).toBe(2);
      expect(await stage.records.refunds(loan.id)).toEqual([]);
      expect(await loan.steps()).toEqual({
        APPLIED: 1,
        OFFER_CHOSEN: 1,
        LEADING_OFFER_CHOSEN: 1,
        KEY_FACTS_AGREED: 2,
        ORDERED: 2,
        OTHER_OFFER_WANTED: 1,
        OTHER_OFFER_CHOSEN: 1,
        PAID: 1,
      });
    },
  );
});

describe('a refund', () => {
  const REFUND = /^POST \/v1\/payments\/\w+\/refund$/;
  const TOLD = `SELECT 1 FROM sms_messages WHERE subject_id = $1 AND kind = 'REFUND_MADE'`;
  const FOLLOW = /^GET \/v1\/(refunds|payments)\//;
  let stage: SpawnedPayments;
  let records: SpawnedPayments['records'];
  let razorpay: SpawnedPayments['razorpay'];

  afterEach(() => stage?.close());

  /** An application whose lender declines once it is paid, and the order of its fee. */
  async function apply(): Promise<{ id: string; orderId: string }> {
    const { json } = await applyForInstantLoan(partnerClient(stage.service), { pan: 'SANDX0013A' });
    const orderId = await orderFee(records, json.data);
    return { id: json.data.applicationId, orderId };
  }

  /** Stands still whoever is to change the application. */
  function holdApplication(id: string): Promise<HeldLock> {
    const sql = 'SELECT 1 FROM instant_loans WHERE id = $1 FOR UPDATE';
    return HeldLock.take(stage.databaseUrl, sql, [id]);
  }

  async function statuses(id: string): Promise<string[]> {
    return (await records.refunds(id)).map(({ status }) => status);
  }

  async function reaches(id: string, ...expected: string[]): Promise<void> {
    await eventually(async () => expect(await statuses(id)).toEqual(expected), PATIENT);
  }

  async function count(sql: string, id: string): Promise<number> {
    return (await records.query(sql, [id])).length;
  }

  /**
   * Recorded, and not asked for: no call arrives. A new process asks for it, while the others stand still.
   * @returns what ends that
   */
  async function killBeforeItIsAskedFor(): Promise<() => void> {
    await stage.kill();
    expect(razorpay.refunds.made).toEqual([]);
    const goOn = stage.freeze();
    razorpay.recover();
    razorpay.failNext(REFUND, { keepWaiting: true });
    await stage.restart();
    await records.travel(LEASE_MS);
    return goOn;
  }

  /** The refund is recorded, and the applicant is not told yet. */
  async function killBeforeItIsTold(id: string, application: HeldLock): Promise<void> {
    const [telling] = await application.waiting('"InstantLoan"');
    await stage.kill(telling.name);
    expect(await count(TOLD, id)).toBe(0);
    await application.release();
    if (!stage.isAnyRunning) await stage.restart();
  }

  it.each(inForm({ short: [ONE], long: [ONE, TWO] }))(
    'killed between decline, refund asked and refund recorded, the refund is made once: %s',
    async (_, replicas) => {
      stage = await SpawnedPayments.open(replicas);
      ({ records, razorpay } = stage);
      const { id, orderId } = await apply();
      const payment = razorpay.pay(orderId);
      if (IS_LONG_FORM) razorpay.failNext(REFUND, ...UNREACHABLE);
      else razorpay.failNext(REFUND, { keepWaiting: true });

      // The lender has declined, and nothing of it is recorded yet.
      const held = await HeldLock.atWrite(
        stage.databaseUrl,
        'BEFORE UPDATE ON instant_loans',
        `NEW.status = 'REJECTED'`,
      );
      await stage.callBack(razorpay.webhook('payment_link.paid', orderId, { payment }));
      const [recording] = await held.waiting('UPDATE instant_loans');
      await stage.kill(recording.name);
      expect(await statuses(id)).toEqual([]);
      await held.release();

      await stage.restart();
      await reaches(id, 'REQUESTED');
      const goOn = IS_LONG_FORM ? await killBeforeItIsAskedFor() : () => undefined;

      // Asked for and made, and the answer never recorded.
      await eventually(() => expect(razorpay.refunds.made).toHaveLength(1), PATIENT);
      await stage.kill(stage.newest);
      expect(await statuses(id)).toEqual(['REQUESTED']);
      goOn();

      await stage.restart();
      await records.travel(LEASE_MS);
      await reaches(id, 'PENDING');

      // It is done, and the callback that says so is not recorded yet. Nothing else says so: the other replica would
      // record what it finds itself.
      razorpay.failNext(FOLLOW, ...UNREACHABLE);
      const [refund] = razorpay.refunds.made;
      const done = razorpay.refundWebhook(
        'refund.processed',
        razorpay.refunds.end(refund, 'processed'),
      );
      const row = await HeldLock.take(
        stage.databaseUrl,
        'SELECT 1 FROM payment_refunds WHERE subject_id = $1 FOR UPDATE',
        [id],
      );
      const answer = stage.callBack(done).then(
        ({ status }) => status,
        () => 'no answer',
      );
      const [taking] = await row.waiting('"PaymentRefund"');
      await stage.kill(taking.name);
      await row.release();
      expect(await answer).toBe('no answer');
      expect(await statuses(id)).toEqual(['PENDING']);

      await stage.restart();
      const application = IS_LONG_FORM ? await holdApplication(id) : null;
      expect((await stage.callBack(done)).status).toBe(200);
      await reaches(id, 'DONE');
      if (application) await killBeforeItIsTold(id, application);
      await eventually(async () => expect(await count(TOLD, id)).toBe(1), PATIENT);

      expect((await stage.callBack(done)).status).toBe(200);
      expect(razorpay.refunds.made).toHaveLength(1);
      expect(razorpay.refunds.totalOf(payment.id)).toBe(payment.amount);
      expect(await statuses(id)).toEqual(['DONE']);
      expect(await count(TOLD, id)).toBe(1);
    },
  );
});
