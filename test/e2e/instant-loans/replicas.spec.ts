import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FeeDeadlinesTasks } from '../../../src/instant-loans/fee/fee-deadlines.tasks.js';
import { OfferDeadlinesTasks } from '../../../src/journeys/background/journey.tasks.js';
import { PaymentInbox } from '../../../src/payments/index.js';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import {
  ApplicantBrowser,
  choosableIn,
  type CreatedInstantLoan,
  hiddenIn,
  paymentFormOf,
  applyForInstantLoan,
} from '../../support/instant-loans.js';
import { inForm } from '../../support/long-form.js';
import type { TestService } from '../../support/service.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';
import { HOUR, InstantLoanBench, JOURNEY, MINUTE, PATIENT } from './instant-loan-bench.js';
import { randomUUID } from 'node:crypto';
import { SmsOutbox } from '../../../src/messaging/index.js';
import { type Answer, type PartnerClient, partnerClient } from '../../support/partner-client.js';

const LOANS = inForm({ short: 4, long: 12 });
/** Two of its lenders answer after ten seconds of the service's clock, and one never. */
const SILENT = 'SANDX0002A';

let replicas: SharedReplicas;
let bench: InstantLoanBench;
let elsewhere: PartnerClient;

beforeAll(async () => {
  replicas = await sharedReplicas();
  bench = new InstantLoanBench(replicas.first);
  elsewhere = partnerClient(replicas.second);
});

afterAll(() => bench?.close());

const several = <Result>(make: () => Promise<Result>) =>
  Promise.all(Array.from({ length: LOANS }, make));

const at = ({ baseUrl }: TestService, { redirectUrl }: CreatedInstantLoan) =>
  `${baseUrl}${new URL(redirectUrl).pathname}`;

async function triggers(id: string): Promise<string[]> {
  return (await bench.trail(id)).map((step) => step.split(' ')[0]);
}

async function count(table: string, id: string, condition = 'true'): Promise<number> {
  const sql = `SELECT 1 FROM ${table} WHERE subject_id IN (${JOURNEY}) AND ${condition}`;
  return (await bench.records.query(sql, [id])).length;
}

/** The same payment, reported to one replica. */
async function tellPaid(service: TestService, id: string): Promise<boolean> {
  const gatewayPaymentId = `money-of-${id}`;
  const { journey_id: subjectId, payment_order_id: orderId, fee: amount } = await bench.row(id);
  await bench.recordPayment(id, orderId, gatewayPaymentId);
  const { partnerId } = replicas.first;
  const about = { partnerId, subjectId, orderId, gatewayPaymentId, amount };
  const notice = { ...about, kind: 'PAID' as const, at: service.now() };
  const inbox = service.get<PaymentInbox>(PaymentInbox);
  return service.get<Database>(Database).transaction((tx) => inbox.receive(tx, notice));
}

describe('two replicas', () => {
  it('take each payment once, whichever of them hears of it, and ask the lender once', async () => {
    const loans = await several(() => bench.order());
    const isNew = await Promise.all(
      loans.flatMap(({ applicationId: id }) =>
        [replicas.first, replicas.second].map((one) => tellPaid(one, id)),
      ),
    );
    expect(isNew.filter(Boolean)).toHaveLength(LOANS);
    for (const { applicationId: id } of loans) {
      await bench.reaches(id, 'SANCTIONED');
      expect((await triggers(id)).slice(-3)).toEqual(['FEE_TAKEN', 'FEE_PAID', 'LOAN_SANCTIONED']);
      expect(await count('lender_questions', id, `kind = 'DECISION'`)).toBe(1);
    }
  });

  it('count a payment here, or give it back, while another offer is chosen there', async () => {
    const loans = await several(() => bench.order());
    await Promise.all(
      loans.map(async (loan, place) => {
        const browser = new ApplicantBrowser();
        const url = at(replicas.second, loan);
        const { text } = await browser.open(url);
        const [offerId] = choosableIn(text);
        const form = { ...hiddenIn(text), offerId };
        // Alternates which one starts first.
        const both = [
          () => tellPaid(replicas.first, loan.applicationId),
          () => browser.send(`${url}/choice`, form),
        ];
        await Promise.all((place % 2 ? both : both.toReversed()).map((one) => one()));
      }),
    );
    for (const { applicationId: id } of loans) {
      await eventually(async () => {
        const isChanged = (await triggers(id)).includes('OFFER_LET_GO');
        const end = isChanged ? ['PAYMENT_PENDING', ['PAID_TOO_LATE']] : ['SANCTIONED', []];
        expect([await bench.status(id), await bench.refunds(id)]).toEqual(end);
      }, PATIENT);
    }
  });

  it('keep the choice that is made here when the wait ends there', async () => {
    const loan = await bench.create({ pan: SILENT });
    const { applicationId: id, redirectUrl } = loan;
    await replicas.travel(11_000);
    await eventually(async () => (await bench.answered(loan)) === 2, PATIENT);
    const browser = new ApplicantBrowser();
    const waiting = await browser.open(redirectUrl);
    await browser.send(`${redirectUrl}/offers`, hiddenIn(waiting.text));
    const { text } = await browser.open(redirectUrl);
    const [offerId] = choosableIn(text);
    const tasks = replicas.second.get<OfferDeadlinesTasks>(OfferDeadlinesTasks);
    await Promise.all([
      browser.send(`${redirectUrl}/choice`, { ...hiddenIn(text), offerId }),
      replicas.travel(2 * MINUTE + 1_000).then(() => tasks.run()),
    ]);
    await tasks.run();
    expect(await triggers(id)).toEqual(['STARTED', 'OFFERS_OPENED', 'FEE_ASKED', 'OFFER_SELECTED']);
    const [row] = await bench.records.query(
      `SELECT selected_offer_id, offers_due_at, state FROM journeys WHERE id IN (${JOURNEY})`,
      [id],
    );
    expect(row).toEqual({ selected_offer_id: offerId, offers_due_at: null, state: 'FEE_PENDING' });
  });

  it('end each application once when its time is over, and order nothing for a press that waits meanwhile', async () => {
    const loans = await several(() => bench.offered());
    const [pressing, chosen] = loans;
    await new ApplicantBrowser().openToPay(chosen.redirectUrl);
    const browser = new ApplicantBrowser();
    const url = at(replicas.first, pressing);
    const form = hiddenIn(paymentFormOf((await browser.openToPay(url)).text)!);
    const { applicationId } = pressing;
    const held = await HeldLock.take(
      replicas.first.databaseUrl,
      `SELECT 1 FROM journeys WHERE id IN (${JOURNEY}) FOR UPDATE`,
      [applicationId],
    );
    const pressed = browser.send(url, { ...form, hasRead: '1' });
    await held.waiting('FROM journeys WHERE id');
    await replicas.travel(73 * HOUR);
    await held.release();
    expect((await pressed).status).toBe(303);
    const tasks = [replicas.first, replicas.second].flatMap((service) => [
      service.get<FeeDeadlinesTasks>(FeeDeadlinesTasks),
      service.get<OfferDeadlinesTasks>(OfferDeadlinesTasks),
    ]);
    await Promise.all(tasks.map((task) => task.run()));
    for (const { applicationId: id } of loans) {
      await bench.reaches(id, 'EXPIRED');
      expect((await triggers(id)).filter((trigger) => trigger === 'FEE_UNPAID')).toHaveLength(1);
      expect(await count('payment_orders', id)).toBe(0);
    }
  });
});

function apply(key: string, client = bench.demo) {
  return applyForInstantLoan(client, {}, key);
}

const loansThere = () =>
  bench.records.query('SELECT id FROM instant_loans WHERE partner_id = $1', [
    replicas.first.partnerId,
  ]);

function expectReplayed(
  again: Answer<CreatedInstantLoan>,
  first: Answer<CreatedInstantLoan>,
): void {
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
  expect(again.json).toEqual(first.json);
}

describe('the same Idempotency-Key with the same body', () => {
  it('gets the first answer again, on any replica, also when the SMS has gone out meanwhile', async () => {
    const key = randomUUID();
    const outbox = replicas.first.get<SmsOutbox>(SmsOutbox);
    const slow = vi.spyOn(outbox, 'handOver').mockResolvedValueOnce(false);
    const first = await apply(key);
    slow.mockRestore();
    expect(first.json.data.smsSent).toBe(false);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const before = await loansThere();
    const { journeyId } = first.json.data;
    await replicas.travel(60_000);
    const sms = 'SELECT status FROM sms_messages WHERE subject_id = $1';
    await eventually(
      async () =>
        expect(await bench.records.query(sms, [journeyId])).toEqual([{ status: 'HANDED_OVER' }]),
      { withinMs: 30_000 },
    );
    for (const client of [bench.demo, elsewhere]) expectReplayed(await apply(key, client), first);
    expect(await loansThere()).toEqual(before);
  });

  it('gets an answer when the first call died between its commit and its answer', async () => {
    const key = randomUUID();
    const first = await apply(key);
    const { applicationId } = first.json.data;
    // As after a kill right after the commit.
    await bench.records.query('UPDATE instant_loans SET is_sms_sent = NULL WHERE id = $1', [
      applicationId,
    ]);
    await replicas.travel(6_000);
    expectReplayed(await apply(key, elsewhere), first);
    expectReplayed(await apply(key), first);
  });
});

describe('409: the Idempotency-Key is taken', () => {
  it('by the first request while it hands the SMS over', async () => {
    const key = randomUUID();
    const outbox = replicas.first.get<SmsOutbox>(SmsOutbox);
    let release: (isSent: boolean) => void = () => undefined;
    const held = new Promise<boolean>((resolve) => (release = resolve));
    const slow = vi.spyOn(outbox, 'handOver').mockReturnValueOnce(held);
    const first = apply(key);
    await eventually(() => expect(slow).toHaveBeenCalled(), { withinMs: 20_000 });
    const { status, json } = await apply(key, elsewhere);
    expect([status, json.code]).toEqual([409, 'idempotency_in_flight']);
    release(true);
    const answered = await first;
    slow.mockRestore();
    expect(answered.json.data.smsSent).toBe(true);
    expectReplayed(await apply(key, elsewhere), answered);
  });
});
