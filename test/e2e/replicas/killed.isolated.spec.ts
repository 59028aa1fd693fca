// Isolated: its process is killed.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import type { CreatedInstantLoan } from '../../support/instant-loans.js';
import { act, driveTo, readJourney, type StartedJourney } from '../../support/journey-driver.js';
import { FROM, InterruptedActions, KIND } from './killed/interrupted-actions.js';
import { DeclinedLoans, InterruptedFees } from './killed/interrupted-fees.js';
import { InterruptedTexts } from './killed/interrupted-texts.js';
import { KillStage, LEASE_SECONDS, PATIENT } from './killed/kill-stage.js';
import { ofFile } from '../../support/of-file.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const stage = ofFile(() => KillStage.open());
let actions: InterruptedActions;
let loans: DeclinedLoans;

/** Starting a process takes seconds, so one kill interrupts as much work as possible. */
beforeAll(async () => {
  loans = new DeclinedLoans(stage);
  actions = new InterruptedActions(stage);
  await stage.killDuring(actions);
});

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
    const early = await act(stage.partner, acted, KIND);
    expect([early.status, early.json.code]).toEqual([409, 'action_in_flight']);
    expect(await stage.records.state(acted.id)).toBe(FROM);
    await stage.records.travel(LEASE_SECONDS * 1_000);
    // The interrupted action is completed first, so the repeated one comes too late.
    expect((await act(stage.partner, acted, KIND)).status).toBe(409);
    await eventually(() => expectOneStep(acted));
    expect(stage.service.output()).toMatch(/journey\/jrn_\w+\/action"[^\n]*finishing an action/);
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

describe('killed while the applicant is to be notified that offers are ready, and while the payment gateway answers', () => {
  let texts: InterruptedTexts;
  let fees: InterruptedFees;

  beforeAll(async () => {
    texts = new InterruptedTexts(stage);
    fees = new InterruptedFees(loans);
    await stage.killDuring(texts, fees);
    // Refunds need no expired lease. A question in progress during the time change would be retried late.
    for (const { journeyId } of [fees.paid, fees.declined])
      await becomes(() => loans.refundsOf(journeyId), ['PENDING']);
    await stage.records.travel(LEASE_SECONDS * 1_000);
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
