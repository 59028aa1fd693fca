import { eventually } from '../../../support/eventually.js';
import type { PaymentEntity, Webhook } from '../../../support/fake-razorpay.js';
import type { HeldLock } from '../../../support/held-lock.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  type CreatedInstantLoan,
  openGateway,
  untilOffered,
} from '../../../support/instant-loans.js';
import { expectEqual } from './expected.js';
import { type InterruptedWork, type KillStage, PATIENT } from './kill-stage.js';

interface Fee {
  readonly orderId: string;
  readonly page: string;
}

interface PaidFee extends Fee {
  readonly payment: PaymentEntity;
  readonly webhook: Webhook;
}

/** Instant loans that are declined after the fee is paid. */
export class DeclinedLoans {
  private readonly fees = new Map<CreatedInstantLoan, PaidFee>();

  constructor(readonly stage: KillStage) {}

  feeOf(loan: CreatedInstantLoan): PaidFee {
    return this.fees.get(loan)!;
  }

  /** The applicant pays at the gateway, which has not yet sent its webhook. */
  pay(loan: CreatedInstantLoan, fee: Fee): PaidFee {
    const { razorpay } = this.stage;
    const payment = razorpay.pay(fee.orderId);
    const webhook = razorpay.webhook('payment_link.paid', fee.orderId, { payment });
    const paid = { ...fee, payment, webhook };
    this.fees.set(loan, paid);
    return paid;
  }

  /** Orders the fee; returns the order and the gateway's page. */
  async orderOf({ journeyId, redirectUrl }: CreatedInstantLoan): Promise<Fee> {
    const page = await openGateway(new ApplicantBrowser(), redirectUrl);
    const [orderId] = await this.valuesOf(
      'SELECT id AS value FROM payment_orders WHERE subject_id = $1',
      journeyId,
    );
    return { orderId, page };
  }

  callBack({ headers, body }: Webhook): Promise<number | string> {
    const url = `${this.stage.service.baseUrl}/callbacks/payments/razorpay`;
    return fetch(url, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => 'no answer',
    );
  }

  /** The state of the journey, and the status of each order and refund. */
  async recorded({ journeyId: id }: CreatedInstantLoan): Promise<unknown[]> {
    const state = await this.stage.records.state(id);
    return [state, await this.ordersOf(id), await this.refundsOf(id)];
  }

  ordersOf(id: string): Promise<string[]> {
    return this.valuesOf('SELECT status AS value FROM payment_orders WHERE subject_id = $1', id);
  }

  refundsOf(id: string): Promise<string[]> {
    return this.valuesOf('SELECT status AS value FROM payment_refunds WHERE subject_id = $1', id);
  }

  textsOf(id: string): Promise<string[]> {
    return this.valuesOf(
      `SELECT id AS value FROM sms_messages WHERE subject_id = $1 AND kind = 'REFUND_MADE'`,
      id,
    );
  }

  decisionsOf(id: string): Promise<string[]> {
    return this.valuesOf(
      `SELECT id AS value FROM lender_questions WHERE subject_id = $1 AND kind = 'DECISION'`,
      id,
    );
  }

  async loanWithOffer(): Promise<CreatedInstantLoan> {
    const { json } = await applyForInstantLoan(this.stage.partner, { pan: 'SANDX0013A' });
    await untilOffered(new ApplicantBrowser(), json.data.redirectUrl);
    return json.data;
  }

  private async valuesOf(sql: string, id: string): Promise<string[]> {
    const rows = await this.stage.records.query<{ value: string }>(sql, [id]);
    return rows.map(({ value }) => value);
  }
}

/** The fees of four loans, each interrupted at another point between order and refund. */
export class InterruptedFees implements InterruptedWork {
  /** Ordered at the gateway, but not recorded. */
  ordered!: CreatedInstantLoan;
  /** The payment is recorded, but not processed. */
  paid!: CreatedInstantLoan;
  /** Declined, but the refund is not requested. */
  declined!: CreatedInstantLoan;
  /** Refunded at the gateway, but not recorded. */
  refunded!: CreatedInstantLoan;
  private audit!: HeldLock;
  private requesting!: HeldLock;
  private readonly answers: Promise<unknown>[] = [];

  constructor(private readonly loans: DeclinedLoans) {}

  get all(): readonly CreatedInstantLoan[] {
    return [this.ordered, this.paid, this.declined, this.refunded];
  }

  async prepare(): Promise<void> {
    const { loans } = this;
    const all = await Promise.all(Array.from({ length: 4 }, () => loans.loanWithOffer()));
    [this.ordered, this.paid, this.declined, this.refunded] = all;
    const others = [this.paid, this.declined, this.refunded];
    for (const loan of others) loans.pay(loan, await loans.orderOf(loan));
  }

  async lock(): Promise<HeldLock[]> {
    const { stage } = this.loans;
    this.audit = await stage.holdWrite(
      'BEFORE INSERT ON journey_audit',
      `NEW.journey_id = '${this.paid.journeyId}'`,
    );
    this.requesting = await stage.holdWrite(
      'BEFORE INSERT ON payment_refunds',
      `NEW.subject_id = '${this.declined.journeyId}'`,
    );
    return [this.audit, this.requesting];
  }

  async begin(): Promise<void> {
    const { razorpay } = this.loans.stage;
    const { size } = razorpay.links;
    razorpay.failNext(/^POST \/v1\/payment_links$/, { keepWaiting: true });
    razorpay.failNext(/^POST \/v1\/payments\/\w+\/refund$/, { keepWaiting: true });
    const pressed = new ApplicantBrowser().press(this.ordered.redirectUrl);
    this.answers.push(pressed.catch(() => 'no answer'));
    this.callBack(this.refunded);
    await eventually(() => {
      expectEqual([razorpay.links.size, razorpay.refunds.made.length], [size + 1, 1]);
    }, PATIENT);
    // The blocked refund request also blocks other decisions of its lender.
    this.callBack(this.declined);
    this.callBack(this.paid);
    await this.requesting.waiting('"payment_refunds"');
    await this.audit.waiting('journey_audit');
  }

  async expectUnrecorded(): Promise<void> {
    await Promise.all(this.answers);
    const { loans } = this;
    expectEqual(await loans.recorded(this.ordered), ['FEE_PENDING', ['NEW'], []]);
    expectEqual(await loans.recorded(this.paid), ['FEE_PENDING', ['PAID'], []]);
    expectEqual(await loans.recorded(this.declined), ['REJECTED', ['PAID'], []]);
    expectEqual(await loans.recorded(this.refunded), ['REJECTED', ['PAID'], ['REQUESTED']]);
  }

  private callBack(loan: CreatedInstantLoan): void {
    this.answers.push(this.loans.callBack(this.loans.feeOf(loan).webhook));
  }
}
