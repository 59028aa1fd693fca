import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeRazorpay, PaymentEntity } from '../../support/fake-razorpay.ts';
import {
  ApplicantBrowser,
  instantLoanRequest,
  choosableIn,
  paymentFormOf,
} from '../../support/instant-loans.ts';
import type { Partner } from '../partner.ts';
import { dataOf } from '../partner-journey.ts';
import { SeededRandom } from '../seeded-random.ts';

/** Its lender declines after the fee is paid. */
export const DECLINED_AFTER_PAYMENT = 'SANDX0013A';

export interface LoanTerms {
  readonly name: string;
  readonly pans: readonly string[];
  readonly wavers: number;
}

/** One instant loan whose applicant pays the fee at the gateway, whatever fails meanwhile. */
export class DrivenInstantLoan {
  readonly pan: string;
  id: string | undefined;
  journeyId: string | undefined;
  readonly payments: PaymentEntity[] = [];
  isPaid = false;
  protected readonly partner: Partner;
  protected readonly random: SeededRandom;
  private orderId: string | undefined;
  private page = '';
  private readonly browser = new ApplicantBrowser();
  private readonly razorpay: FakeRazorpay;
  private readonly wavers: number;
  private readonly idempotencyKey: string;

  constructor(
    partner: Partner,
    razorpay: FakeRazorpay,
    seed: number,
    index: number,
    { name, pans, wavers }: LoanTerms,
  ) {
    this.partner = partner;
    this.razorpay = razorpay;
    this.random = new SeededRandom(seed * 2_000_003 + index);
    this.pan = this.random.pick(pans);
    this.wavers = wavers;
    this.idempotencyKey = `${name}-${seed}-${index}`;
  }

  get isOver(): boolean {
    return this.isPaid;
  }

  async drive(isStopped: () => boolean): Promise<void> {
    while (!this.isOver && !isStopped()) {
      await this.goOn();
      if (!this.isOver) await sleep(this.random.between(50, 350));
    }
  }

  protected async goOn(): Promise<void> {
    if (this.id === undefined) await this.apply();
    else if (this.orderId === undefined) await this.agree();
    else await this.pay(this.orderId);
  }

  /** A lost response is requested again under the same key, so any number of tries creates one application. */
  private async apply(): Promise<void> {
    const { pan, idempotencyKey } = this;
    const body = instantLoanRequest({ pan });
    const call = { method: 'POST', path: '/instant-loans', body, idempotencyKey } as const;
    const data = dataOf(await this.partner.call(this.partner.choose(this.random), call));
    if (!data) return;
    this.id = data.applicationId as string;
    this.journeyId = data.journeyId as string;
    this.page = data.redirectUrl as string;
  }

  private async agree(): Promise<void> {
    const { text } = await this.browser.open(this.page).catch(() => NO_PAGE);
    const choosable = choosableIn(text);
    if (paymentFormOf(text) === undefined && choosable.length === 0) return;
    if (choosable.length > 0 && this.random.isTrue(this.wavers)) {
      await this.browser.choose(this.page, this.random.pick(choosable)).catch(() => NO_PAGE);
    }
    const { location, text: leading } = await this.browser.press(this.page).catch(() => NO_PAGE);
    const links = [...this.razorpay.links.values()];
    const link = links.find(({ short_url: url }) => location === url || leading.includes(url));
    this.orderId = link?.reference_id;
  }

  private async pay(orderId: string): Promise<void> {
    if (this.payments.length === 0) {
      const { wavers, random, razorpay } = this;
      if (random.isTrue(wavers)) {
        await this.callBack('payment.failed', orderId, razorpay.fail(orderId));
      }
      this.payments.push(razorpay.pay(orderId));
      if (random.isTrue(wavers)) this.payments.push(razorpay.pay(orderId));
    }
    const taken = this.payments.map((payment) =>
      this.callBack('payment_link.paid', orderId, payment),
    );
    this.isPaid = (await Promise.all(taken)).every(Boolean);
  }

  private async callBack(event: string, orderId: string, payment: PaymentEntity): Promise<boolean> {
    const { baseUrl } = this.partner.choose(this.random);
    const eventId = `evt_${event}_${payment.id}`;
    const response = await fetch(`${baseUrl}/callbacks/payments/razorpay`, {
      method: 'POST',
      ...this.razorpay.webhook(event, orderId, { payment, eventId }),
    }).catch(() => null);
    await response?.body?.cancel();
    return response?.status === 200;
  }
}

const NO_PAGE = { location: '', text: '' };
