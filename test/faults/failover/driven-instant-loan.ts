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

/** Its lender declines once the fee is paid, and the fee goes back. */
const DECLINED_AFTER_PAYMENT = 'SANDX0013A';
const DECLINED = 0.4;
const PAID = 'payment_link.paid';

/** One instant loan whose applicant pays the fee once, at the gateway, whatever fails meanwhile. */
export class DrivenInstantLoan {
  readonly isDeclined: boolean;
  id: string | undefined;
  /** The gateway's reference of the order that was paid. */
  orderId: string | undefined;
  payment: PaymentEntity | undefined;
  /** Whether the gateway's callback was taken. */
  isOver = false;
  private page = '';
  private readonly browser = new ApplicantBrowser();
  private readonly partner: Partner;
  private readonly razorpay: FakeRazorpay;
  private readonly random: SeededRandom;
  private readonly idempotencyKey: string;

  constructor(partner: Partner, razorpay: FakeRazorpay, seed: number, index: number) {
    this.partner = partner;
    this.razorpay = razorpay;
    this.random = new SeededRandom(seed * 2_000_003 + index);
    this.isDeclined = this.random.isTrue(DECLINED);
    this.idempotencyKey = `failover-${seed}-${index}`;
  }

  async drive(isStopped: () => boolean): Promise<void> {
    while (!this.isOver && !isStopped()) {
      await this.goOn();
      if (!this.isOver) await sleep(this.random.between(50, 350));
    }
  }

  private async goOn(): Promise<void> {
    if (this.id === undefined) await this.apply();
    else if (this.orderId === undefined) await this.agree();
    else await this.pay(this.orderId);
  }

  /** A lost answer is asked for again under the same key, so one application comes of any number of tries. */
  private async apply(): Promise<void> {
    const body = instantLoanRequest(this.isDeclined ? { pan: DECLINED_AFTER_PAYMENT } : {});
    const { idempotencyKey } = this;
    const call = { method: 'POST', path: '/instant-loans', body, idempotencyKey } as const;
    const data = dataOf(await this.partner.call(this.partner.choose(this.random), call));
    if (!data) return;
    this.id = data.applicationId as string;
    this.page = data.redirectUrl as string;
  }

  /** Chooses the first offer and presses the button that leads to the gateway; a page may say that it is away, too. */
  private async agree(): Promise<void> {
    const { text } = await this.browser.open(this.page);
    if (paymentFormOf(text) === undefined && choosableIn(text).length === 0) return;
    const { location, text: leading } = await this.browser.press(this.page).catch(() => NO_PAGE);
    const links = [...this.razorpay.links.values()];
    const link = links.find(({ short_url: url }) => location === url || leading.includes(url));
    this.orderId = link?.reference_id;
  }

  /** Pays once; the gateway calls back until it is answered 200, as Razorpay does. */
  private async pay(orderId: string): Promise<void> {
    this.payment ??= this.razorpay.pay(orderId);
    const { payment } = this;
    const { baseUrl } = this.partner.choose(this.random);
    const response = await fetch(`${baseUrl}/callbacks/payments/razorpay`, {
      method: 'POST',
      ...this.razorpay.webhook(PAID, orderId, { payment, eventId: `evt_${orderId}` }),
    });
    await response.body?.cancel();
    this.isOver = response.status === 200;
  }
}

/** The page went away between being shown and being pressed. */
const NO_PAGE = { location: '', text: '' };
