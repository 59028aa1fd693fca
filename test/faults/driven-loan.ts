import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeRazorpay, PaymentEntity } from '../support/fake-razorpay.ts';
import {
  ApplicantBrowser,
  choosableIn,
  instantLoanRequest,
  paymentFormOf,
} from '../support/instant-loans.ts';
import type { Call, Partner } from './partner.ts';
import { SeededRandom } from './seeded-random.ts';

const LENT_TO = 'ABCDE1234F';
const DECLINED_AFTER_PAYMENT = 'SANDX0013A';
const DECLINED = ['SANDX0001A', 'SANDX0003A', 'SANDX0009A'];
const PANS = [LENT_TO, LENT_TO, LENT_TO, LENT_TO, ...DECLINED, DECLINED_AFTER_PAYMENT];
const ENDS = ['SANCTIONED', 'REJECTED'];
const WAVERS = 0.3;
const NO_PAGE = { location: '', text: '' };

interface Created {
  readonly applicationId: string;
  readonly journeyId: string;
  readonly redirectUrl: string;
}

/** One instant loan, driven until it is sanctioned or rejected. The applicant may change the offer or pay twice. */
export class DrivenLoan {
  isOver = false;
  id: string | undefined;
  readonly #partner: Partner;
  readonly #random: SeededRandom;
  readonly #razorpay: FakeRazorpay;
  readonly #browser = new ApplicantBrowser();
  readonly #request: object;
  readonly #idempotencyKey: string;
  readonly #pace: number;
  #loan: Created | undefined;
  #orderId: string | undefined;
  #payments: PaymentEntity[] = [];
  #isPaid = false;

  constructor(
    partner: Partner,
    razorpay: FakeRazorpay,
    { seed, pace }: { seed: number; pace: number },
    index: number,
  ) {
    this.#partner = partner;
    this.#razorpay = razorpay;
    this.#pace = pace;
    this.#random = new SeededRandom(seed * 2_000_003 + index);
    this.#request = instantLoanRequest({ pan: this.#random.pick(PANS) });
    this.#idempotencyKey = `loan-${seed}-${index}`;
  }

  async drive(isStopped: () => boolean): Promise<void> {
    while (!this.isOver && !isStopped()) {
      await this.#goOn();
      if (!this.isOver) await sleep(this.#random.between(400, 1_500) * this.#pace);
    }
  }

  async #goOn(): Promise<void> {
    if (this.#loan === undefined) await this.#apply();
    else if (this.#orderId === undefined) await this.#agree(this.#loan.redirectUrl);
    else if (!this.#isPaid) await this.#pay(this.#orderId);
    if (this.#loan !== undefined) await this.#readLead(this.#loan.applicationId);
  }

  /** The idempotency key makes retries after a lost response create one application. */
  async #apply(): Promise<void> {
    const loan = await this.#send<Created>({
      method: 'POST',
      path: '/instant-loans',
      body: this.#request,
      idempotencyKey: this.#idempotencyKey,
    });
    this.#loan = loan ?? undefined;
    this.id = loan?.journeyId;
  }

  async #readLead(applicationId: string): Promise<void> {
    const path = `/leads/${applicationId}/status`;
    const lead = await this.#send<{ status: string }>({ method: 'GET', path });
    this.isOver = ENDS.includes(lead?.status ?? '');
  }

  async #agree(url: string): Promise<void> {
    const { text } = await this.#browser.open(url).catch(() => NO_PAGE);
    const choosable = choosableIn(text);
    if (paymentFormOf(text) === undefined && choosable.length === 0) return;
    if (choosable.length > 0 && this.#wavers()) {
      await this.#browser.choose(url, this.#random.pick(choosable)).catch(() => NO_PAGE);
    }
    const page = await this.#browser.press(url).catch(() => NO_PAGE);
    const links = [...this.#razorpay.links.values()];
    const link = links.find(({ short_url: gateway }) => {
      return page.location === gateway || page.text.includes(gateway);
    });
    this.#orderId = link?.reference_id;
  }

  async #pay(orderId: string): Promise<void> {
    const razorpay = this.#razorpay;
    if (this.#payments.length === 0) {
      if (this.#wavers()) await this.#callBack('payment.failed', orderId, razorpay.fail(orderId));
      this.#payments.push(razorpay.pay(orderId));
      if (this.#wavers()) this.#payments.push(razorpay.pay(orderId));
    }
    const taken = this.#payments.map((payment) =>
      this.#callBack('payment_link.paid', orderId, payment),
    );
    this.#isPaid = (await Promise.all(taken)).every(Boolean);
  }

  async #callBack(event: string, orderId: string, payment: PaymentEntity): Promise<boolean> {
    const { baseUrl } = this.#partner.choose(this.#random);
    const eventId = `evt_${event}_${payment.id}`;
    const response = await fetch(`${baseUrl}/callbacks/payments/razorpay`, {
      method: 'POST',
      ...this.#razorpay.webhook(event, orderId, { payment, eventId }),
    }).catch(() => null);
    await response?.body?.cancel();
    return response?.status === 200;
  }

  #wavers(): boolean {
    return this.#random.isTrue(WAVERS);
  }

  async #send<Data>(call: Call): Promise<Data | null> {
    const replica = this.#partner.choose(this.#random);
    return (await this.#partner.call<Data>(replica, call)).data;
  }
}
