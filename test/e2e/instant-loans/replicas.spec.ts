import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InstantOfferDeadlinesTasks } from '../../../src/instant-loans/background/instant-offer-deadlines.tasks.js';
import { InstantLoanDeadlinesTasks } from '../../../src/instant-loans/background/instant-loan-deadlines.tasks.js';
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
  untilOffered,
} from '../../support/instant-loans.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';
import { HOUR, MINUTE, PATIENT } from './instant-loan-bench.js';

const LOANS = 12;
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
    `SELECT trigger FROM instant_loan_audit
     WHERE application_id = $1 AND trigger NOT IN ('LENDER_ANSWERED', 'LENDER_MISSED') ORDER BY id`,
    [id],
  );
  return rows.map(({ trigger }) => trigger);
}

/** The same payment, brought in at one replica. */
async function tellPaid(service: TestService, id: string, paymentId: string): Promise<boolean> {
  const [loan] = await records.query<{ orderId: string; fee: number }>(
    'SELECT payment_order_id AS "orderId", fee::int FROM instant_loans WHERE id = $1',
    [id],
  );
  await records.query(
    `INSERT INTO payments (partner_id, subject_id, order_id, gateway, gateway_payment_id, amount,
       currency, is_counted, source, paid_at)
     VALUES ($5, $1, $2, 'sandbox', $3, $4, 'INR', true, 'CALLBACK', app_now())
     ON CONFLICT DO NOTHING`,
    [id, loan.orderId, paymentId, loan.fee, replicas.first.partnerId],
  );
  const inbox = service.get<PaymentInbox>(PaymentInbox);
  return service.get<Database>(Database).transaction((tx) =>
    inbox.receive(tx, {
      partnerId: replicas.first.partnerId,
      subjectId: id,
      orderId: loan.orderId,
      kind: 'PAID',
      gatewayPaymentId: paymentId,
      amount: loan.fee,
      at: service.now(),
    }),
  );
}

/** What a lender says, brought in at one replica. */
function tell(service: TestService, id: string, lenderCode: string, answer: LenderAnswer) {
  return service.get<Database>(Database).transaction((tx) =>
    service.get<LenderInbox>(LenderInbox).receive(tx, {
      lenderCode,
      answerId: `${id} ${lenderCode}`,
      partnerId: replicas.first.partnerId,
      subjectId: id,
      kind: 'INSTANT_OFFERS',
      reference: '1',
      answer,
    }),
  );
}

async function isTakenUp(id: string): Promise<void> {
  const waiting = 'SELECT 1 FROM lender_inbox WHERE subject_id = $1 AND consumed_at IS NULL';
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
      expect((await triggers(id)).slice(-2)).toEqual(['PAID', 'SANCTIONED']);
      const questions = await records.query(
        `SELECT 1 FROM lender_questions WHERE subject_id = $1 AND kind = 'DECISION'`,
        [id],
      );
      expect(questions).toHaveLength(1);
    }
  });

  it('count one of two payments that come in at the same moment, and give the other back', async () => {
    const { applicationId: id } = await order();
    await Promise.all([
      tellPaid(replicas.first, id, 'one'),
      tellPaid(replicas.second, id, 'another'),
    ]);
    await eventually(async () => expect(await status(id)).toBe('SANCTIONED'), PATIENT);
    await eventually(async () => {
      const refunds = await records.query(
        'SELECT reason FROM payment_refunds WHERE subject_id = $1',
        [id],
      );
      expect(refunds).toEqual([{ reason: 'PAID_TWICE' }]);
    }, PATIENT);
    expect((await triggers(id)).filter((trigger) => trigger === 'PAID')).toHaveLength(1);
  });

  it('choose once among offers whose last answers come in at the same moment, here and there', async () => {
    const { json } = await applyForInstantLoan(clients[0], { pan: SILENT });
    const { applicationId: id } = json.data;
    const [first, ...last] = await records.query<{ code: string }>(
      'SELECT lender_code AS code FROM lender_questions WHERE subject_id = $1',
      [id],
    );
    await tell(replicas.first, id, first.code, { kind: 'DECLINED', reason: 'POLICY' });
    await Promise.all(
      [replicas.first, replicas.second].map((service, index) =>
        tell(service, id, last[index].code, { kind: 'OFFERED', offers: [offerAt(service, index)] }),
      ),
    );
    await eventually(async () => expect(await triggers(id)).toContain('OFFER_CHOSEN'), PATIENT);
    await isTakenUp(id);
    expect(await triggers(id)).toEqual(['APPLIED', 'OFFER_CHOSEN']);
    const offers = await records.query<{ standing: string }>(
      'SELECT standing FROM instant_offers WHERE application_id = $1 ORDER BY standing',
      [id],
    );
    expect(offers.map(({ standing }) => standing)).toEqual(['DECLINED', 'OFFERED', 'OFFERED']);
  });

  it('choose once when the deadline comes here and the last answer there', async () => {
    const { json } = await applyForInstantLoan(clients[0], { pan: SILENT });
    const { applicationId: id } = json.data;
    const [one, other, last] = await records.query<{ code: string }>(
      'SELECT lender_code AS code FROM lender_questions WHERE subject_id = $1',
      [id],
    );
    await tell(replicas.first, id, one.code, { kind: 'DECLINED', reason: 'POLICY' });
    await tell(replicas.first, id, other.code, {
      kind: 'OFFERED',
      offers: [offerAt(replicas.first, 1)],
    });
    await isTakenUp(id);
    const tasks = replicas.first.get<InstantOfferDeadlinesTasks>(InstantOfferDeadlinesTasks);
    const cheaper = { kind: 'OFFERED' as const, offers: [offerAt(replicas.second, 0)] };
    await Promise.all([
      replicas.travel(2 * MINUTE + 1_000).then(() => tasks.run()),
      tell(replicas.second, id, last.code, cheaper),
    ]);
    await eventually(async () => expect(await triggers(id)).toContain('OFFER_CHOSEN'), PATIENT);
    await isTakenUp(id);
    const steps = await triggers(id);
    expect(steps.filter((step) => step === 'OFFER_CHOSEN')).toHaveLength(1);
    const [{ chosen }] = await records.query<{ chosen: string }>(
      'SELECT lender_code AS chosen FROM instant_loans WHERE id = $1',
      [id],
    );
    const told = await records.query<{ code: string }>(
      `SELECT DISTINCT lender_code AS code FROM lender_questions
       WHERE subject_id = $1 AND kind = 'WITHDRAWAL'`,
      [id],
    );
    // Whichever came first: a lender whose offer can be chosen hears nothing yet.
    expect(told).toEqual(chosen === last.code ? [] : [{ code: last.code }]);
  });

  /** An application of two offers whose third lender has not answered. */
  async function twoOfThree(): Promise<CreatedInstantLoan & { last: string }> {
    const { json } = await applyForInstantLoan(clients[0], { pan: SILENT });
    const { applicationId: id } = json.data;
    const asked = await records.query<{ code: string }>(
      'SELECT lender_code AS code FROM lender_questions WHERE subject_id = $1',
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

  it('open the offers once for an applicant who presses here and there', async () => {
    const loan = await twoOfThree();
    const presses = await openers(loan);
    expect(await Promise.all(presses.map((press) => press()))).toEqual([303, 303]);
    expect(await triggers(loan.applicationId)).toEqual(['APPLIED', 'OFFERS_OPENED']);
  });

  it('put the offers side by side once when the last answer comes here and a press there', async () => {
    const loan = await twoOfThree();
    const { applicationId: id } = loan;
    const [, press] = await openers(loan);
    const cheaper = { kind: 'OFFERED' as const, offers: [offerAt(replicas.first, 0)] };
    await Promise.all([press(), tell(replicas.first, id, loan.last, cheaper)]);
    await isTakenUp(id);
    const [applied, put, ...more] = await triggers(id);
    expect([applied, more]).toEqual(['APPLIED', []]);
    expect(['OFFERS_OPENED', 'OFFER_CHOSEN']).toContain(put);
    const { text } = await new ApplicantBrowser().open(loan.redirectUrl);
    expect(choosableIn(text)).toHaveLength(3);
  });

  it('keep the choice that is made here when the wait ends there', async () => {
    const loan = await twoOfThree();
    const { applicationId: id, redirectUrl } = loan;
    const [press] = await openers(loan);
    await press();
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(redirectUrl);
    const [, offerId] = choosableIn(text);
    const tasks = replicas.second.get<InstantOfferDeadlinesTasks>(InstantOfferDeadlinesTasks);
    await Promise.all([
      browser.send(`${redirectUrl}/choice`, { ...hiddenIn(text), offerId }),
      replicas.travel(2 * MINUTE + 1_000).then(() => tasks.run()),
    ]);
    await tasks.run();
    // By the time that has passed the third lender may have answered, too.
    const steps = (await triggers(id)).filter((step) => step !== 'OFFER_TOO_LATE');
    expect(steps).toEqual(['APPLIED', 'OFFERS_OPENED', 'OTHER_OFFER_CHOSEN']);
    const [row] = await records.query(
      `SELECT offer_id, wanted_offer_id, offers_due_at, status FROM instant_loans WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({
      offer_id: offerId,
      wanted_offer_id: offerId,
      offers_due_at: null,
      status: 'PAYMENT_PENDING',
    });
  });

  it('order nothing for a press that waits while the time runs out, and end it once', async () => {
    const { applicationId: id, redirectUrl } = await apply();
    const browser = new ApplicantBrowser();
    const url = `${replicas.first.baseUrl}${new URL(redirectUrl).pathname}`;
    const { text } = await browser.open(url);
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1];
    const held = await HeldLock.take(
      replicas.first.databaseUrl,
      'SELECT 1 FROM instant_loans WHERE id = $1 FOR UPDATE',
      [id],
    );
    const pressed = browser.send(url, { csrf });
    await held.waiting('"InstantLoan"');
    await replicas.travel(73 * HOUR);
    await held.release();
    expect((await pressed).status).toBe(303);
    await eventually(async () => expect(await status(id)).toBe('EXPIRED'), PATIENT);
    expect(await triggers(id)).toEqual(['APPLIED', 'OFFER_CHOSEN', 'TIME_RAN_OUT']);
    const orders = await records.query('SELECT 1 FROM payment_orders WHERE subject_id = $1', [id]);
    expect(orders).toEqual([]);
  });

  it('record one choice and open one page for an applicant who presses twice, here and there', async () => {
    const { applicationId: id, redirectUrl } = await apply();
    const path = new URL(redirectUrl).pathname;
    const urls = await Promise.all(
      [replicas.first, replicas.second, replicas.first].map(({ baseUrl }) =>
        openGateway(new ApplicantBrowser(), `${baseUrl}${path}`),
      ),
    );
    const tokens = urls.map((url) => new URL(url).pathname);
    expect(new Set(tokens).size).toBe(1);
    const orders = await records.query('SELECT 1 FROM payment_orders WHERE subject_id = $1', [id]);
    expect(orders).toHaveLength(1);
    const steps = await triggers(id);
    expect(steps).toEqual([
      'APPLIED',
      'OFFER_CHOSEN',
      'LEADING_OFFER_CHOSEN',
      'KEY_FACTS_AGREED',
      'ORDERED',
    ]);
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
    expect((await triggers(id)).filter((trigger) => trigger === 'ORDERED_AGAIN')).toHaveLength(1);
    const orders = await records.query('SELECT 1 FROM payment_orders WHERE subject_id = $1', [id]);
    expect(orders).toHaveLength(2);
  });

  it('end each application once when its time is over', async () => {
    const loans = await Promise.all(Array.from({ length: LOANS }, (_, n) => apply(n)));
    await replicas.travel(73 * HOUR);
    const tasks = [replicas.first, replicas.second].map((service) =>
      service.get<InstantLoanDeadlinesTasks>(InstantLoanDeadlinesTasks),
    );
    await Promise.all(tasks.map((task) => task.run()));
    for (const { applicationId: id } of loans) {
      await eventually(async () => expect(await status(id)).toBe('EXPIRED'), PATIENT);
      expect(await triggers(id)).toEqual(['APPLIED', 'OFFER_CHOSEN', 'TIME_RAN_OUT']);
    }
  });
});
