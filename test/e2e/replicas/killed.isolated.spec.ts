// Isolated: its process is killed.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import type { CreatedInstantLoan } from '../../support/instant-loans.js';
import { act, driveTo, readJourney, type StartedJourney } from '../../support/journey-driver.js';
import { TEST_MS } from './killable-service.js';
import { FROM, InterruptedActions, KIND } from './killed/interrupted-actions.js';
import { DeclinedLoans, InterruptedFees } from './killed/interrupted-fees.js';
import { InterruptedQuestions } from './killed/interrupted-questions.js';
import { InterruptedTexts } from './killed/interrupted-texts.js';
import { KillStage, LEASE_SECONDS, PATIENT } from './killed/kill-stage.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const WHOLE_WAY = [
  'STARTED',
  'OFFERS_ARRIVED',
  'OFFER_SELECTED',
  'KYC_PASSED',
  'ACCOUNT_ACCEPTED',
  'MANDATE_PASSED',
  'ESIGN_PASSED',
  'PAID_OUT',
];

let stage: KillStage;
let actions: InterruptedActions;
let loans: DeclinedLoans;
let questions: InterruptedQuestions;

/** Starting a process takes seconds, so one kill interrupts as many actions as possible. */
beforeAll(async () => {
  stage = await KillStage.open();
  loans = new DeclinedLoans(stage);
  questions = new InterruptedQuestions(stage);
  actions = new InterruptedActions(stage);
  // The questions keep all answers out of the inbox, so they come last.
  await stage.killDuring([actions, questions]);
});

afterAll(() => stage?.close());

const becomes = (read: () => Promise<unknown>, expected: unknown) =>
  eventually(async () => expect(await read()).toEqual(expected), PATIENT);

describe('killed between an action’s intent and its outcome, and while answers are taken up', () => {
  async function expectOneStep({ id }: StartedJourney): Promise<void> {
    expect(await stage.records.state(id)).toBe('KYC_PENDING');
    expect(await stage.records.trail(id)).toEqual(['STARTED', 'OFFERS_ARRIVED', 'OFFER_SELECTED']);
    expect(await stage.records.intents(id)).toMatchObject([{ status: 'COMPLETED' }]);
    expect((await stage.records.events(id)).slice(2)).toEqual(['3 journey.offer_selected']);
  }

  it('has the next action resolve it once the lease has expired, or has the scheduler resolve it, in one step, and passes over one that it cannot', async () => {
    const { acted, left, broken } = actions;
    for (const journey of [acted, questions.choosing]) {
      const early = await act(stage.partner, journey, KIND);
      expect([early.status, early.json.code]).toEqual([409, 'action_in_flight']);
    }
    expect(await stage.records.state(acted.id)).toBe(FROM);
    expect((await questions.booksOf(questions.choosing)).selections).toHaveLength(1);
    await stage.records.travel(LEASE_SECONDS * 1_000);
    // The intended action is complete, so repeating it is one step too many.
    expect((await act(stage.partner, acted, KIND)).status).toBe(409);
    await eventually(() => expectOneStep(acted));
    expect(stage.service.output()).toMatch(/journey\/jrn_\w+\/action"[^\n]*resolving an orphan/);
    await eventually(() => expectOneStep(left), PATIENT);
    expect(await stage.records.state(broken.id)).toBe(FROM);
    await driveTo(stage.partner, acted, 'SANCTIONED');
  });

  it('leaves the answers in the inbox, and the next process takes all of them up, once', async () => {
    const { offered } = actions;
    await eventually(async () => {
      const inbox = await stage.records.inbox(offered.id);
      expect(inbox).toEqual({ waiting: 0, consumed: 3 });
    }, PATIENT);
    expect(await stage.records.trail(offered.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
    expect(await stage.records.events(offered.id)).toEqual([
      '1 journey.initiated',
      '2 journey.offers_received',
    ]);
    expect((await readJourney(stage.partner, offered)).offers).toHaveLength(3);
    expect(await stage.records.flags(offered.id)).toEqual([]);
  });

  it('keeps a provider’s callback that it has acknowledged', async () => {
    const { id } = actions.calledBack;
    await eventually(async () => {
      expect(await stage.records.state(id)).toBe('BANK_ACCOUNT_PENDING');
    }, PATIENT);
    expect((await stage.records.events(id)).at(-1)).toBe('4 journey.kyc_done');
  });
});

describe('killed before lenders’ answers have come, and between others and their record', () => {
  it('a choice is made once: the next process has it, also offers, an account and a payout', async () => {
    const { choosing, adding, asking, paid } = questions;
    const { partner, records } = stage;
    // The choice is complete, so repeating it is one step too many.
    const late = await act(partner, choosing, 'SELECT_OFFER');
    expect([late.status, late.json.code]).toEqual([409, 'wrong_step']);
    await questions.expectOneChoice(choosing);

    await eventually(async () => {
      expect(await records.state(adding.id)).toBe('MANDATE_PENDING');
      expect(await records.state(paid.id)).toBe('SANCTIONED');
    }, PATIENT);
    const { questions: all } = await questions.booksOf(adding);
    const asked = all.filter(({ call }) => call === 'accounts');
    expect(asked).toMatchObject([{ timesAsked: 2, verdict: 'ACCEPTED' }]);

    await driveTo(partner, asking, 'KYC_PENDING');
    for (const journey of [choosing, asking]) {
      expect(await records.trail(journey.id)).toEqual(WHOLE_WAY.slice(0, 3));
      await eventually(async () => {
        const books = await questions.booksOf(journey);
        expect(books.withdrawals).toMatchObject([{ reason: 'NOT_CHOSEN' }]);
        const offers = books.questions.filter(({ call }) => call === 'offers');
        expect(offers.map(({ verdict }) => verdict)).toEqual(['OFFERED', 'OFFERED']);
      });
      expect((await records.inbox(journey.id)).waiting).toBe(0);
    }
    expect(await records.trail(paid.id)).toEqual(WHOLE_WAY);
    for (const journey of [adding, paid]) {
      const { selections, payouts } = await questions.booksOf(journey);
      expect([selections.length, payouts.length]).toEqual([1, journey === paid ? 1 : 0]);
    }
  });
});

describe('killed while the message about ready offers is due, and while the payment gateway answers', () => {
  let texts: InterruptedTexts;
  let fees: InterruptedFees;

  beforeAll(async () => {
    texts = new InterruptedTexts(stage);
    fees = new InterruptedFees(loans);
    await stage.killDuring([texts, fees]);
    // These need no lease to expire. A question that is asked while the time moves is asked late.
    for (const { journeyId } of [fees.paid, fees.declined])
      await becomes(() => loans.refundsOf(journeyId), ['PENDING']);
    await stage.service.travel(LEASE_SECONDS * 1_000);
  });

  it('makes the change and sends the text once after a restart', async () => {
    const { changing } = texts;
    await becomes(
      () => texts.offerMessages(changing),
      [{ outcome: 'TOLD', status: 'HANDED_OVER' }],
    );
    expect(texts.received(changing)).toBe(1);
    expect(await stage.records.trail(changing.id)).toEqual([
      'STARTED',
      'CONSENTED',
      'CONFIRMED',
      'OFFERS_ARRIVED',
    ]);
  });

  it('sends no text again that the gateway may have taken, and flags it', async () => {
    const { sent } = texts;
    await becomes(() => texts.offerMessages(sent), [{ outcome: 'TOLD', status: 'GIVEN_UP' }]);
    expect(texts.received(sent)).toBe(1);
    expect(await stage.records.flags(sent.id)).toEqual(['SMS_NOT_SENT']);
  });

  it('killed between order, payment, decline, refund asked and refund recorded, the fee is ordered, paid and refunded once', async () => {
    const { razorpay } = stage;
    const { ordered, all } = fees;
    await becomes(() => loans.ordersOf(ordered.journeyId), ['OPEN']);
    const order = await loans.orderOf(ordered);
    expect(order.page).toBe(razorpay.linkOf(order.orderId).short_url);
    expect(await loans.callBack(loans.pay(ordered, order).webhook)).toBe(200);
    for (const loan of all) await expectOneFee(loan);
    expect([razorpay.links.size, razorpay.refunds.made.length]).toEqual([all.length, all.length]);
  });

  async function expectOneFee(loan: CreatedInstantLoan): Promise<void> {
    const { razorpay } = stage;
    const { journeyId: id } = loan;
    const { payment, webhook: paid } = loans.feeOf(loan);
    await becomes(() => loans.refundsOf(id), ['PENDING']);
    const refund = razorpay.refunds.made.find(({ payment_id: of }) => of === payment.id)!;
    const ended = razorpay.refunds.end(refund, 'processed');
    const done = razorpay.refundWebhook('refund.processed', ended);
    for (const webhook of [done, done, paid]) expect(await loans.callBack(webhook)).toBe(200);
    await becomes(() => loans.refundsOf(id), ['DONE']);
    await eventually(async () => expect(await loans.textsOf(id)).toHaveLength(1), PATIENT);
    expect(razorpay.refunds.totalOf(payment.id)).toBe(payment.amount);
    expect(await loans.ordersOf(id)).toEqual(['PAID']);
    expect(await loans.decisionsOf(id)).toHaveLength(1);
    const steps = await stage.records.trail(id);
    expect(steps).toEqual([...new Set(steps)]);
    for (const step of ['FEE_ORDERED', 'FEE_TAKEN', 'LOAN_DECLINED', 'FEE_RETURNED'])
      expect(steps).toContain(step);
  }
});
