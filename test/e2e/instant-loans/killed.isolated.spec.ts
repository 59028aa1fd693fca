// Isolated: its process is killed.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import type { Webhook } from '../../support/fake-razorpay.js';
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
      /** Of its journey. */
      readonly id: string,
      private readonly path: string,
    ) {}

    static async create(): Promise<Application> {
      const { json } = await applyForInstantLoan(partnerClient(stage.service), { pan: SLOW });
      const { journeyId, redirectUrl } = json.data;
      return new Application(journeyId, new URL(redirectUrl).pathname);
    }

    /** Its page, at the process that has been running longest. */
    get url(): string {
      return `${stage.service.baseUrl}${this.path}`;
    }

    async row() {
      const [row] = await stage.records.query<{
        state: string;
        offerId: string | null;
        agreedAt: Date | null;
        orderId: string | null;
        fee: number | null;
      }>(
        `SELECT j.state, j.selected_offer_id AS "offerId", k.acknowledged_at AS "agreedAt",
           f.order_id AS "orderId", f.amount::int AS fee
         FROM journeys AS j LEFT JOIN key_facts_statements AS k ON k.offer_id = j.selected_offer_id
         LEFT JOIN journey_fees AS f ON f.journey_id = j.id
         WHERE j.id = $1 ORDER BY f.redirect_id DESC LIMIT 1`,
        [this.id],
      );
      return row;
    }

    /** The lowest APR first. */
    async offers(): Promise<{ id: string; fee: number }[]> {
      return stage.records.query(
        `SELECT id, (figures ->> 'processingFees')::int AS fee FROM journey_offers
         WHERE journey_id = $1 ORDER BY (figures ->> 'apr')::float`,
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

    /** How often each step is in its audit. */
    async steps(): Promise<Record<string, number>> {
      const rows = await stage.records.query<{ trigger: string; times: number }>(
        `SELECT trigger, count(*)::int AS times FROM journey_audit WHERE journey_id = $1 GROUP BY 1`,
        [this.id],
      );
      return Object.fromEntries(rows.map(({ trigger, times }) => [trigger, times]));
    }
  }

  async function reaches(loan: Application, state: string): Promise<void> {
    await eventually(async () => expect((await loan.row()).state).toBe(state), PATIENT);
  }

  /** Begins something, and kills the process that writes to a table, in the middle of its transaction. */
  async function killAtWrite(table: string, begin: () => Promise<unknown>): Promise<void> {
    const held = await HeldLock.take(stage.databaseUrl, `LOCK TABLE ${table} IN SHARE MODE`);
    const begun = begin().catch(() => 'no answer');
    const [{ name }] = await held.waiting(table);
    await stage.kill(name);
    await held.release();
    await begun;
    await stage.untilGone();
  }

  /** In the long form the process that does it is killed, and another goes on. */
  async function beginOrKill(table: string, begin: () => Promise<unknown>): Promise<void> {
    if (!IS_LONG_FORM) await begin();
    else {
      await killAtWrite(table, begin);
      await stage.restart();
    }
  }

  /** In the long form: an applicant begins in vain, and nothing comes of it. */
  async function killInLongForm(
    begin: () => Promise<unknown>,
    isAsBefore: () => Promise<void>,
  ): Promise<void> {
    if (!IS_LONG_FORM) return;
    await killAtWrite('journey_audit', begin);
    await isAsBefore();
    await stage.restart();
  }

  /**
   * Kills the process that has called the gateway before its answer is recorded. In the long form the gateway is
   * away at first, and a new process calls it, as the others stand still.
   */
  async function killAfterCall(
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

  /** In the long form the process is killed that closes the page of the first. */
  async function changeChoice(
    loan: Application,
    first: string,
    choose: () => Promise<unknown>,
    changed: object,
  ): Promise<void> {
    if (!IS_LONG_FORM) {
      await choose();
      return;
    }
    await killAfterCall(CANCEL_LINK, choose, () =>
      expect(razorpay.linkOf(first).status).toBe('cancelled'),
    );
    expect(await loan.row()).toMatchObject({ ...changed, agreedAt: null });
    expect(await loan.orders()).toMatchObject([{ status: 'OPEN', isCalledOff: true }]);
    await stage.restart();
    await stage.records.travel(LEASE_MS);
  }

  it.each(inForm({ short: [ONE], long: [ONE, TWO] }))(
    'killed between the order, its page and its payment, one is ordered and paid: %s',
    async (_, replicas) => {
      stage = await SpawnedPayments.open(replicas);
      ({ razorpay } = stage);
      const loan = await Application.create();
      const press = () => new ApplicantBrowser().press(loan.url);

      // The lenders' offers, and the end of the wait for the last lender.
      await beginOrKill('journey_offers', () => stage.records.travel(ANSWERS_MS));
      await eventually(async () => expect(await loan.offers()).toHaveLength(2), PATIENT);
      await beginOrKill('journey_audit', () => stage.records.travel(2 * MINUTE));
      await reaches(loan, 'OFFERS_RECEIVED');

      // The choice.
      const [best, other] = await loan.offers();
      const chooseBest = () => new ApplicantBrowser().choose(loan.url, best.id);
      await killInLongForm(chooseBest, async () => {
        const unchosen = { state: 'OFFERS_RECEIVED', offerId: null, fee: null };
        expect(await loan.row()).toMatchObject(unchosen);
      });
      await chooseBest();
      const chosen = { state: 'FEE_PENDING', offerId: best.id, fee: best.fee, orderId: null };
      expect(await loan.row()).toMatchObject({ ...chosen, agreedAt: null });

      // The agreement, then the order.
      for (const table of inForm({ short: [], long: ['journey_audit', 'payment_audit'] })) {
        await killAtWrite(table, press);
        const isAgreed = table === 'payment_audit';
        const { agreedAt, orderId } = await loan.row();
        expect([agreedAt !== null, orderId]).toEqual([isAgreed, null]);
        expect(await loan.orders()).toEqual([]);
        await stage.restart();
      }

      // Ordered, and the gateway does not know of it; then the gateway does, and the service does not.
      await killAfterCall(OPEN_LINK, press, async () => {
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

      // Another offer is chosen, and the page of the first is closed.
      const choose = () => new ApplicantBrowser().choose(loan.url, other.id);
      await killInLongForm(choose, async () => {
        expect(await loan.row()).toMatchObject({ offerId: best.id, orderId: first });
        expect(await loan.orders()).toMatchObject([{ status: 'OPEN', isCalledOff: false }]);
      });
      const changed = { state: 'FEE_PENDING', offerId: other.id, fee: other.fee, orderId: null };
      await changeChoice(loan, first!, choose, changed);
      await eventually(async () => {
        expect(await loan.orders()).toMatchObject([{ id: first, status: 'CANCELLED' }]);
      }, PATIENT);
      expect(await loan.row()).toMatchObject(changed);

      // It is paid for once, by its own fee; the payment is recorded, and what follows from it is not.
      await openGateway(new ApplicantBrowser(), loan.url);
      const { orderId: second } = await loan.row();
      const payment = razorpay.pay(second!);
      expect([second === first, payment.amount]).toEqual([false, other.fee]);
      const paid = razorpay.webhook('payment_link.paid', second!, { payment });
      await killAtWrite('journey_audit', () => stage.callBack(paid));
      expect(await loan.row()).toMatchObject({ state: 'FEE_PENDING' });
      expect(await stage.records.payments(second!)).toHaveLength(1);
      await stage.restart();
      await reaches(loan, 'DECISION_PENDING');
      expect((await stage.callBack(paid)).status).toBe(200);
      const decisions = await stage.records.query(
        `SELECT 1 FROM lender_questions WHERE subject_id = $1 AND kind = 'DECISION'`,
        [loan.id],
      );
      expect(decisions).toHaveLength(1);
      expect(razorpay.links.size).toBe(2);
      expect(await stage.records.refunds(loan.id)).toEqual([]);
      expect(await loan.steps()).toEqual({
        STARTED: 1,
        OFFERS_ARRIVED: 1,
        FEE_ASKED: 2,
        OFFER_SELECTED: 2,
        KEY_FACTS_ACKNOWLEDGED: 2,
        FEE_ORDERED: 2,
        OFFER_LET_GO: 1,
        FEE_TAKEN: 1,
        FEE_PAID: 1,
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

  /** The journey of an application whose lender declines once it is paid, and the order of its fee. */
  async function apply(): Promise<{ id: string; orderId: string }> {
    const { json } = await applyForInstantLoan(partnerClient(stage.service), { pan: 'SANDX0013A' });
    const orderId = await orderFee(records, json.data);
    return { id: json.data.journeyId, orderId };
  }

  function holdWrite(write: string, condition: string): Promise<HeldLock> {
    return HeldLock.atWrite(stage.databaseUrl, write, condition);
  }

  /** Stops every process that is to change the journey. */
  function holdJourney(id: string): Promise<HeldLock> {
    const sql = 'SELECT 1 FROM journeys WHERE id = $1 FOR UPDATE';
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

  async function killAtDecline(id: string, declining: HeldLock): Promise<void> {
    const [recording] = await declining.waiting('UPDATE journeys');
    await stage.kill(recording.name);
    expect(await records.state(id)).toBe('DECISION_PENDING');
    await declining.release();
    await stage.restart();
  }

  /** The callback has come, and is not recorded yet. */
  async function killAtCallback(id: string, done: Webhook): Promise<void> {
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
  }

  /** The refund is recorded, and the applicant is not told yet. */
  async function killBeforeItIsTold(id: string, journey: HeldLock): Promise<void> {
    const [telling] = await journey.waiting('FROM journeys WHERE id');
    await stage.kill(telling.name);
    expect(await count(TOLD, id)).toBe(0);
    await journey.release();
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
      const declining = await holdWrite('BEFORE UPDATE ON journeys', `NEW.state = 'REJECTED'`);
      const requesting = await holdWrite('BEFORE INSERT ON payment_refunds', 'true');
      if (!IS_LONG_FORM) await declining.release();
      await stage.callBack(razorpay.webhook('payment_link.paid', orderId, { payment }));
      if (IS_LONG_FORM) await killAtDecline(id, declining);

      // Declined, and the refund is not requested yet.
      const [settling] = await requesting.waiting('"payment_refunds"');
      await stage.kill(settling.name);
      expect([await records.state(id), await statuses(id)]).toEqual(['REJECTED', []]);
      await requesting.release();

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
      if (IS_LONG_FORM) await killAtCallback(id, done);
      const journey = IS_LONG_FORM ? await holdJourney(id) : null;
      expect((await stage.callBack(done)).status).toBe(200);
      await reaches(id, 'DONE');
      if (journey) await killBeforeItIsTold(id, journey);
      await eventually(async () => expect(await count(TOLD, id)).toBe(1), PATIENT);

      expect((await stage.callBack(done)).status).toBe(200);
      expect(razorpay.refunds.made).toHaveLength(1);
      expect(razorpay.refunds.totalOf(payment.id)).toBe(payment.amount);
      expect(await statuses(id)).toEqual(['DONE']);
      expect(await count(TOLD, id)).toBe(1);
    },
  );
});
