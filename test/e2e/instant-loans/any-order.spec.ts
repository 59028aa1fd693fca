import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { applyForInstantLoan, orderFee } from '../../support/instant-loans.js';
import { configure } from '../../support/kept-configuration.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { Webhook } from '../../support/fake-razorpay.js';
import { HOUR_MS, PATIENT, RazorpayBench } from '../payments/payment-bench.js';

const RUNS = 25;

let bench: RazorpayBench;
let demo: PartnerClient;

beforeAll(async () => {
  bench = await RazorpayBench.start();
  demo = partnerClient(bench.service);
  // A decision may stay open for the days that each run lets go by: it is nothing for the operator here.
  await configure(
    bench.service,
    `UPDATE configuration SET settings = settings || '{"lenderGiveUpSeconds": 432000}'`,
  );
});

afterAll(() => bench?.close());

/** What the applicant does at the gateway; when we hear of it is another matter. */
interface History {
  readonly failedTries: number;
  /** Payments before the time to pay is over, and after it. */
  readonly inTime: number;
  readonly late: number;
}

const histories = fc.record<History>({
  failedTries: fc.integer({ min: 0, max: 2 }),
  inTime: fc.integer({ min: 0, max: 2 }),
  late: fc.integer({ min: 0, max: 1 }),
});

/** What reaches us at one moment: callbacks, the same or others, and the answer to a poll of ours. */
interface Moment {
  readonly picks: readonly number[];
  readonly polls: boolean;
}

const moments = fc.record<Moment>({
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
  polls: fc.boolean(),
});

/** Before the expiry, while it comes, and after it. */
const plans = fc.record({
  before: fc.array(moments, { maxLength: 3 }),
  meanwhile: moments,
  after: fc.array(moments, { maxLength: 3 }),
});

interface Loan {
  readonly id: string;
  readonly orderId: string;
}

async function newLoan(): Promise<Loan> {
  const { json } = await applyForInstantLoan(demo);
  const id = json.data.applicationId;
  const orderId = await orderFee(bench.records, json.data);
  return { id, orderId };
}

function happenings(orderId: string, fails: number, payments: number): Webhook[] {
  const { razorpay } = bench;
  const failed = Array.from({ length: fails }, () =>
    razorpay.webhook('payment.failed', orderId, { payment: razorpay.fail(orderId) }),
  );
  const paid = Array.from({ length: payments }, () =>
    razorpay.webhook('payment_link.paid', orderId, { payment: razorpay.pay(orderId) }),
  );
  return [...failed, ...paid];
}

/** Delivers some of the callbacks side by side, some of them more than once, with a poll of ours. */
async function deliver(
  orderId: string,
  webhooks: readonly Webhook[],
  { picks, polls }: Moment,
): Promise<void> {
  const told = webhooks.length > 0 ? picks.map((pick) => webhooks[pick % webhooks.length]) : [];
  await Promise.all([
    ...told.map((webhook) => bench.callBack(webhook)),
    polls && bench.poll(orderId),
  ]);
}

async function settles(id: string, status: string): Promise<void> {
  await eventually(async () => {
    const waiting = await bench.records.query(
      'SELECT 1 FROM payment_inbox WHERE subject_id = $1 AND consumed_at IS NULL',
      [id],
    );
    const { json } = await demo.get<{ status: string }>(`/leads/${id}/status`);
    expect([json.data.status, waiting.length]).toEqual([status, 0]);
  }, PATIENT);
}

async function expectCountedOnce(id: string, { inTime, late }: History): Promise<void> {
  const trail = await bench.records.query<{ trigger: string }>(
    'SELECT trigger FROM instant_loan_audit WHERE application_id = $1',
    [id],
  );
  const counted = trail.filter(({ trigger }) => trigger === 'PAID');
  expect(counted).toHaveLength(inTime > 0 ? 1 : 0);
  const reasons = (await bench.records.refunds(id)).map(({ reason }) => reason);
  const spare = inTime > 0 ? inTime + late - 1 : late;
  const reason = inTime > 0 ? 'PAID_TWICE' : 'PAID_TOO_LATE';
  // Every payment is either the one that counts or goes back: none is lost, none counts twice.
  expect(reasons).toEqual(Array.from({ length: spare }, () => reason));
  expect(await bench.records.flags(id)).toEqual([]);
  const questions = await bench.records.query(
    `SELECT 1 FROM lender_questions WHERE subject_id = $1 AND kind = 'DECISION'`,
    [id],
  );
  expect(questions).toHaveLength(counted.length);
}

it('any order and repetition of callbacks, polls and the expiry ends in the same status', async () => {
  await fc.assert(
    fc.asyncProperty(histories, plans, async (history, { before, meanwhile, after }) => {
      const { id, orderId } = await newLoan();
      const early = happenings(orderId, history.failedTries, history.inTime);
      for (const moment of before) await deliver(orderId, early, moment);
      await Promise.all([bench.service.travel(73 * HOUR_MS), deliver(orderId, early, meanwhile)]);
      // Whatever of the callbacks has come by now, the gateway is asked before the time is over.
      await settles(id, history.inTime > 0 ? 'SANCTIONED' : 'EXPIRED');
      const all = [...early, ...happenings(orderId, 0, history.late)];
      for (const moment of after) await deliver(orderId, all, moment);
      const answers = await Promise.all(all.map((webhook) => bench.callBack(webhook)));
      expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200));
      await settles(id, history.inTime > 0 ? 'SANCTIONED' : 'EXPIRED');
      await expectCountedOnce(id, history);
    }),
    { numRuns: RUNS },
  );
}, 300_000);
