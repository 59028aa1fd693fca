import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FeeDeadlinesTasks } from '../../../src/instant-loans/fee/fee-deadlines.tasks.js';
import { OfferDeadlinesTasks } from '../../../src/journeys/background/journey.tasks.js';
import { type LenderAnswer, LenderInbox, type LenderOffer } from '../../../src/lenders/index.js';
import { quoteLoan } from '../../../src/loans/index.js';
import { PaymentInbox } from '../../../src/payments/index.js';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  atSandboxGateway,
  choosableIn,
  type CreatedInstantLoan,
  hiddenIn,
  openGateway,
  orderFee,
  paymentFormOf,
  untilOffered,
} from '../../support/instant-loans.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { inForm } from '../../support/long-form.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';
import { HOUR, JOURNEY, MINUTE, PATIENT } from './instant-loan-bench.js';

const LOANS = inForm({ short: 4, long: 12 });
/** Of its lenders two answer after ten seconds by the service's clock, and one never. */
const SILENT = 'SANDX0002A';

/** An offer as a lender makes it, dearer with each `step`. */
function offerAt(service: TestService, step: number): LenderOffer {
  const fee = { name: 'Processing fee', payee: 'LENDER' as const, amount: 60_000 + step * 1_000 };
  const terms = { principal: 2_500_000, annualRatePercent: 21, tenureMonths: 6, fees: [fee] };
  const { instalment, apr } = quoteLoan(terms);
  return {
    ...terms,
    reference: `offer-${step}`,
    minimumAmount: terms.principal,
    instalment,
    apr,
    netDisbursed: terms.principal,
    validUntil: new Date(service.now().getTime() + 240 * HOUR).toISOString(),
    collateralExplanation: null,
  };
}

let replicas: SharedReplicas;
let clients: PartnerClient[];
let records: JourneyRecords;

beforeAll(async () => {
  replicas = await sharedReplicas();
  clients = [partnerClient(replicas.first), partnerClient(replicas.second)];
  records = new JourneyRecords(replicas.first.databaseUrl);
});

afterAll(() => records?.close());

async function apply(place = 0): Promise<CreatedInstantLoan> {
  const { json } = await applyForInstantLoan(clients[place % 2]);
  await untilOffered(new ApplicantBrowser(), json.data.redirectUrl);
  return json.data;
}

async function order(place = 0): Promise<CreatedInstantLoan> {
  const loan = await apply(place);
  await orderFee(records, loan);
  return loan;
}

async function status(id: string): Promise<string> {
  const { json } = await clients[1].get<{ status: string }>(`/leads/${id}/status`);
  return json.data.status;
}

async function triggers(id: string): Promise<string[]> {
  const rows = await records.query<{ trigger: string }>(
    `SELECT trigger FROM journey_audit WHERE journey_id IN (${JOURNEY}) ORDER BY id`,
    [id],
  );
  return rows.map(({ trigger }) => trigger);
}

async function orders(id: string): Promise<number> {
  const rows = await records.query(
    `SELECT 1 FROM payment_orders WHERE subject_id IN (${JOURNEY})`,
    [id],
  );
  return rows.length;
}

async function refunds(id: string): Promise<string[]> {
  const rows = await records.query<{ reason: string }>(
    `SELECT reason FROM payment_refunds WHERE subject_id IN (${JOURNEY})`,
    [id],
  );
  return rows.map(({ reason }) => reason);
}

/** The same payment, brought in at one replica. */
async function tellPaid(service: TestService, id: string, paymentId: string): Promise<boolean> {
  const [payment] = await records.query<{ subjectId: string; orderId: string; amount: number }>(
    `INSERT INTO payments (partner_id, subject_id, order_id, gateway, gateway_payment_id, amount,
       currency, is_counted, source, paid_at)
     SELECT partner_id, subject_id, id, 'sandbox', $2, amount, 'INR', true, 'CALLBACK', app_now()
     FROM payment_orders WHERE subject_id IN (${JOURNEY})
     ON CONFLICT (gateway, gateway_payment_id) DO UPDATE SET amount = excluded.amount
     RETURNING subject_id AS "subjectId", order_id AS "orderId", amount::int`,
    [id, paymentId],
  );
  const inbox = service.get<PaymentInbox>(PaymentInbox);
  return service.get<Database>(Database).transaction((tx) =>
    inbox.receive(tx, {
      ...payment,
      partnerId: replicas.first.partnerId,
      kind: 'PAID',
      gatewayPaymentId: paymentId,
      at: service.now(),
    }),
  );
}

/** A lender's answer, brought in at one replica. */
async function tell(service: TestService, id: string, lenderCode: string, answer: LenderAnswer) {
  const [{ subjectId }] = await records.query<{ subjectId: string }>(
    `SELECT journey_id AS "subjectId" FROM instant_loans WHERE id = $1`,
    [id],
  );
  return service.get<Database>(Database).transaction((tx) =>
    service.get<LenderInbox>(LenderInbox).receive(tx, {
      lenderCode,
      answerId: `${id} ${lenderCode}`,
      partnerId: replicas.first.partnerId,
      subjectId,
      kind: 'OFFERS',
      reference: '1',
      answer,
    }),
  );
}

async function isTakenUp(id: string): Promise<void> {
  const waiting = `SELECT 1 FROM lender_inbox
    WHERE subject_id IN (${JOURNEY}) AND consumed_at IS NULL`;
  await eventually(async () => expect(await records.query(waiting, [id])).toEqual([]), PATIENT);
}

describe('two replicas', () => {
  it('take each payment once, whichever of them hears of it, and ask the lender once', async () => {
    const loans = await Promise.all(Array.from({ length: LOANS }, (_, n) => order(n)));
    const isNew = await Promise.all(
      loans.flatMap(({ applicationId: id }) => [
        tellPaid(replicas.first, id, `money-of-${id}`),
        tellPaid(replicas.second, id, `money-of-${id}`),
      ]),
    );
    expect(isNew.filter(Boolean)).toHaveLength(LOANS);
    for (const { applicationId: id } of loans) {
      await eventually(async () => expect(await status(id)).toBe('SANCTIONED'), PATIENT);
      expect((await triggers(id)).slice(-3)).toEqual(['FEE_TAKEN', 'FEE_PAID', 'LOAN_SANCTIONED']);
      const questions = await records.query(
        `SELECT 1 FROM lender_questions WHERE subject_id IN (${JOURNEY}) AND kind = 'DECISION'`,
        [id],
      );
      expect(questions).toHaveLength(1);
    }
  });

  it('count a payment here, or give it back, while another offer is chosen there', async () => {
    const loans = await Promise.all(Array.from({ length: LOANS }, (_, n) => order(n)));
    await Promise.all(
      loans.map(async ({ applicationId: id, redirectUrl }, place) => {
        const browser = new ApplicantBrowser();
        const url = `${replicas.second.baseUrl}${new URL(redirectUrl).pathname}`;
        const { text } = await browser.open(url);
        const [offerId] = choosableIn(text);
        const form = { ...hiddenIn(text), offerId };
        // The payment first, or the choice.
        const [paid, chosen] = [
          () => tellPaid(replicas.first, id, `either-${id}`),
          () => browser.send(`${url}/choice`, form),
        ];
        await Promise.all(place % 2 ? [paid(), chosen()] : [chosen(), paid()]);
      }),
    );
    for (const { applicationId: id } of loans) {
      await eventually(async () => {
        const isChanged = (await triggers(id)).includes('OFFER_LET_GO');
        const end = isChanged ? ['PAYMENT_PENDING', ['PAID_TOO_LATE']] : ['SANCTIONED', []];
        expect([await status(id), await refunds(id)]).toEqual(end);
      }, PATIENT);
    }
  });

  /** An application of two offers whose third lender has not answered. */
  async function twoOfThree(): Promise<CreatedInstantLoan & { last: string }> {
    const { json } = await applyForInstantLoan(clients[0], { pan: SILENT });
    const { applicationId: id } = json.data;
    const asked = await records.query<{ code: string }>(
      `SELECT lender_code AS code FROM lender_questions WHERE subject_id IN (${JOURNEY})`,
      [id],
    );
    for (const [index, { code }] of asked.slice(0, 2).entries()) {
      const offers = [offerAt(replicas.first, index + 1)];
      await tell(replicas.first, id, code, { kind: 'OFFERED', offers });
    }
    await isTakenUp(id);
    return { ...json.data, last: asked[2].code };
  }

  /** "See 2 offers now", pressed on one page at each replica. */
  async function openers({ redirectUrl }: CreatedInstantLoan): Promise<(() => Promise<number>)[]> {
    const { pathname } = new URL(redirectUrl);
    return Promise.all(
      [replicas.first, replicas.second].map(async ({ baseUrl }) => {
        const browser = new ApplicantBrowser();
        const { text } = await browser.open(`${baseUrl}${pathname}`);
        const { csrf } = hiddenIn(text);
        return async () => (await browser.send(`${baseUrl}${pathname}/offers`, { csrf })).status;
      }),
    );
  }

  it('keep the choice that is made here when the wait ends there', async () => {
    const loan = await twoOfThree();
    const { applicationId: id, redirectUrl } = loan;
    const [press] = await openers(loan);
    await press();
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(redirectUrl);
    const [, offerId] = choosableIn(text);
    const tasks = replicas.second.get<OfferDeadlinesTasks>(OfferDeadlinesTasks);
    await Promise.all([
      browser.send(`${redirectUrl}/choice`, { ...hiddenIn(text), offerId }),
      replicas.travel(2 * MINUTE + 1_000).then(() => tasks.run()),
    ]);
    await tasks.run();
    expect(await triggers(id)).toEqual(['STARTED', 'OFFERS_OPENED', 'FEE_ASKED', 'OFFER_SELECTED']);
    const [row] = await records.query(
      `SELECT selected_offer_id, offers_due_at, state FROM journeys WHERE id IN (${JOURNEY})`,
      [id],
    );
    expect(row).toEqual({ selected_offer_id: offerId, offers_due_at: null, state: 'FEE_PENDING' });
  });

  it('order nothing for a press that waits while the time runs out, and end it once', async () => {
    const { applicationId: id, redirectUrl } = await apply();
    const browser = new ApplicantBrowser();
    const url = `${replicas.first.baseUrl}${new URL(redirectUrl).pathname}`;
    const form = hiddenIn(paymentFormOf((await browser.openToPay(url)).text)!);
    const held = await HeldLock.take(
      replicas.first.databaseUrl,
      `SELECT 1 FROM journeys WHERE id IN (${JOURNEY}) FOR UPDATE`,
      [id],
    );
    const pressed = browser.send(url, { ...form, hasRead: '1' });
    await held.waiting('FROM journeys WHERE id');
    await replicas.travel(73 * HOUR);
    await held.release();
    expect((await pressed).status).toBe(303);
    await eventually(async () => expect(await status(id)).toBe('EXPIRED'), PATIENT);
    expect((await triggers(id)).slice(-2)).toEqual(['OFFER_SELECTED', 'FEE_UNPAID']);
    expect(await orders(id)).toBe(0);
  });

  it('put one fresh order in the place of a failed one, however often it is tried again', async () => {
    const { applicationId: id, redirectUrl } = await apply();
    const browser = new ApplicantBrowser();
    await atSandboxGateway(browser, await openGateway(browser, redirectUrl), 'fail');
    await eventually(async () => expect(await status(id)).toBe('PAYMENT_FAILED'), PATIENT);
    const path = new URL(redirectUrl).pathname;
    await Promise.all(
      [replicas.first, replicas.second, replicas.second].map(({ baseUrl }) =>
        openGateway(new ApplicantBrowser(), `${baseUrl}${path}`),
      ),
    );
    expect((await triggers(id)).filter((trigger) => trigger === 'FEE_ORDERED_AGAIN')).toHaveLength(
      1,
    );
    expect(await orders(id)).toBe(2);
  });

  it('end each application once when its time is over', async () => {
    const loans = await Promise.all(Array.from({ length: LOANS }, (_, n) => apply(n)));
    for (const { redirectUrl } of loans.slice(LOANS / 2)) {
      await new ApplicantBrowser().openToPay(redirectUrl);
    }
    await replicas.travel(73 * HOUR);
    const tasks = [replicas.first, replicas.second].flatMap((service) => [
      service.get<FeeDeadlinesTasks>(FeeDeadlinesTasks),
      service.get<OfferDeadlinesTasks>(OfferDeadlinesTasks),
    ]);
    await Promise.all(tasks.map((task) => task.run()));
    for (const { applicationId: id } of loans) {
      await eventually(async () => expect(await status(id)).toBe('EXPIRED'), PATIENT);
      expect((await triggers(id)).filter((trigger) => trigger === 'FEE_UNPAID')).toHaveLength(1);
    }
  });
});
