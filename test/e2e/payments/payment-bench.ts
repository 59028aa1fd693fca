import { afterAll, afterEach, beforeAll } from 'vitest';
import {
  type NewPaymentOrder,
  PAYMENT_GATEWAYS,
  PaymentOrders,
  type PaymentGateway,
} from '../../../src/payments/index.js';
import { OrderProcessing } from '../../../src/payments/order-processing.js';
import { RefundProcessing } from '../../../src/payments/refunds/refund-processing.js';
import { PaymentRefundsRepository } from '../../../src/payments/store/payment-refunds.repository.js';
import { PaymentOrdersRepository } from '../../../src/payments/store/payment-orders.repository.js';
import { Database, DuePoller, type Tx } from '../../../src/platform/index.js';
import { ConfiguredGateways } from '../../../src/settings/index.js';
import { eventually } from '../../support/eventually.js';
import { FakeRazorpay, RAZORPAY_ACCOUNT, type Webhook } from '../../support/fake-razorpay.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { configure } from '../../support/kept-configuration.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** A little longer than the bench's orders live. */
export const PAST_EXPIRY_MS = 72 * HOUR_MS + 5 * MINUTE_MS;
export const FEE = 117_900;

/** For a loaded machine; no test waits the whole time. */
export const PATIENT = { withinMs: 20_000 };

let subjects = 0;

/** The payments in the database, with every event and its count. */
export class PaymentRecords extends JourneyRecords {
  async order(id: string): Promise<OrderRow> {
    const [row] = await this.query<OrderRow>('SELECT * FROM payment_orders WHERE id = $1', [id]);
    return row;
  }

  async status(id: string): Promise<string> {
    return (await this.order(id)).status;
  }

  async payments(orderId: string): Promise<{ id: string; amount: number; isCounted: boolean }[]> {
    return this.query(
      `SELECT gateway_payment_id AS id, amount::int, is_counted AS "isCounted"
       FROM payments WHERE order_id = $1 ORDER BY id`,
      [orderId],
    );
  }

  async notices(orderId: string): Promise<string[]> {
    const rows = await this.query<{ kind: string }>(
      'SELECT kind FROM payment_inbox WHERE order_id = $1 ORDER BY id',
      [orderId],
    );
    return rows.map(({ kind }) => kind);
  }

  async trailOf(orderId: string): Promise<string[]> {
    const rows = await this.query<{ step: string }>(
      `SELECT trigger || ' ' || to_status AS step FROM payment_audit
       WHERE order_id = $1 ORDER BY id`,
      [orderId],
    );
    return rows.map(({ step }) => step);
  }

  /** The refunds of a subject, oldest first. */
  async refunds(subjectId: string): Promise<RefundRow[]> {
    return this.query<RefundRow>(
      'SELECT *, amount::int FROM payment_refunds WHERE subject_id = $1 ORDER BY id',
      [subjectId],
    );
  }

  /** The flags of this module about a subject. */
  async paymentFlags(subjectId: string): Promise<string[]> {
    const kinds = await this.flags(subjectId);
    const ours = [
      'PAYMENT_DIFFERS',
      'GATEWAY_REFUSED',
      'GATEWAY_SILENT',
      'REFUND_FAILED',
      'REFUND_LATE',
    ];
    return kinds.filter((kind) => ours.includes(kind));
  }
}

export interface RefundRow extends Record<string, unknown> {
  id: string;
  status: string;
  reason: string;
  attempt: number;
  amount: number;
  gateway_payment_id: string;
  gateway_refund_id: string | null;
  last_failure: string | null;
}

export interface OrderRow extends Record<string, unknown> {
  status: string;
  subject_id: string;
  gateway: string | null;
  gateway_order_id: string | null;
  url: string | null;
  details_sealed: string | null;
  last_failure: string | null;
  failures: number;
  failing_since: Date | null;
  silent_at: Date | null;
  next_attempt_at: Date | null;
}

/** A service and its records; its worker runs. */
export class PaymentBench {
  readonly records: PaymentRecords;

  constructor(readonly service: TestService) {
    this.records = new PaymentRecords(service.databaseUrl);
  }

  get desk(): PaymentOrders {
    return this.service.get<PaymentOrders>(PaymentOrders);
  }

  gateway(kind: string): PaymentGateway {
    const gateways = this.service.get<PaymentGateway[]>(PAYMENT_GATEWAYS);
    const gateway = gateways.find((one) => one.kind === kind);
    if (!gateway) throw new Error(`no gateway ${kind}`);
    return gateway;
  }

  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.service.get<Database>(Database).transaction(work);
  }

  newOrder(parts: Partial<NewPaymentOrder> = {}): NewPaymentOrder {
    subjects += 1;
    return {
      partnerId: this.service.partnerId,
      subjectId: `app_payments${subjects}`,
      amount: FEE,
      payee: 'navdhara',
      description: 'Processing fee',
      payeeName: 'Navdhara Finance',
      applicant: { mobile: '9876543210', pan: 'ABCPE1234F', name: 'Asha Verma' },
      expiresAt: new Date(this.service.now().getTime() + 72 * HOUR_MS),
      returnUrl: `${this.service.baseUrl}/pay/some-token/done`,
      ...parts,
    };
  }

  /** Orders a payment, as an application does. */
  order(parts: Partial<NewPaymentOrder> = {}): Promise<string> {
    return this.transaction((tx) => this.desk.order(tx, this.newOrder(parts)));
  }

  /** Orders a payment and waits until its page exists. */
  async openOrder(parts: Partial<NewPaymentOrder> = {}): Promise<string> {
    const id = await this.order(parts);
    await this.untilStatus(id, 'OPEN');
    return id;
  }

  /** Runs due work now instead of within a second. */
  lookForWork(): void {
    this.service.get<DuePoller>(DuePoller).lookNow();
  }

  untilStatus(id: string, status: string): Promise<void> {
    return eventually(async () => {
      const found = await this.records.order(id);
      if (found.status !== status) {
        this.lookForWork();
        throw new Error(`${id} is ${found.status}, not ${status} (${found.last_failure})`);
      }
    }, PATIENT);
  }

  /** Asks the gateway about an order now, as the worker does, under its lease. */
  async poll(id: string): Promise<void> {
    const leased = await eventually(async () => {
      const claimed = await this.service
        .get<PaymentOrdersRepository>(PaymentOrdersRepository)
        .claimOne(id);
      if (!claimed) throw new Error(`${id} is leased`);
      return claimed;
    }, PATIENT);
    await this.service.get<OrderProcessing>(OrderProcessing).process(leased);
  }

  /** Processes due refunds now, as the worker does. */
  async workOnRefunds(): Promise<void> {
    const due = await this.service
      .get<PaymentRefundsRepository>(PaymentRefundsRepository)
      .claimDue(100);
    const processing = this.service.get<RefundProcessing>(RefundProcessing);
    await Promise.allSettled(due.map((refund) => processing.process(refund)));
  }

  callBack(webhook: Webhook, gateway = 'razorpay'): Promise<Response> {
    return fetch(`${this.service.baseUrl}/callbacks/payments/${gateway}`, {
      method: 'POST',
      headers: webhook.headers,
      body: webhook.body,
    });
  }

  close(): Promise<void> {
    return this.records.close();
  }
}

export async function startSandboxBench(): Promise<PaymentBench> {
  return new PaymentBench(await sharedService());
}

/** The shared service with its payments through the fake Razorpay. */
export class RazorpayBench extends PaymentBench {
  private constructor(
    service: TestService,
    readonly razorpay: FakeRazorpay,
  ) {
    super(service);
    razorpay.now = () => service.now();
    // Payments of two files share one database, so their ids must differ.
    razorpay.idPrefix = `Fake${service.partnerId.replace('-', '')}N`;
  }

  static async start(): Promise<RazorpayBench> {
    return RazorpayBench.of(await sharedService());
  }

  static async of(service: TestService): Promise<RazorpayBench> {
    const razorpay = await new FakeRazorpay().start();
    try {
      const gateways = service.get<ConfiguredGateways>(ConfiguredGateways);
      const payment = { kind: 'razorpay' as const, ...RAZORPAY_ACCOUNT, apiBaseUrl: razorpay.url };
      await configure(service, 'UPDATE configuration SET gateways_sealed = $1', [
        gateways.seal({ sms: await gateways.sms(), payment }),
      ]);
      return new RazorpayBench(service, razorpay);
    } catch (error) {
      await razorpay.stop();
      throw error;
    }
  }

  /** An order whose link the applicant has just paid, and its webhook. */
  async paidOrder(): Promise<{ id: string; paid: Webhook }> {
    const id = await this.openOrder();
    const payment = this.razorpay.pay(id);
    return { id, paid: this.razorpay.webhook('payment_link.paid', id, { payment }) };
  }

  override async close(): Promise<void> {
    await super.close();
    await this.razorpay.stop();
  }
}

/**
 * The shared service with its payments through the fake Razorpay, for a spec file; call it once at the top. Faults that
 * a test orders at Razorpay end with the test.
 */
export function razorpayTests(use: (bench: RazorpayBench) => void): void {
  let bench: RazorpayBench | undefined;
  beforeAll(async () => {
    bench = await RazorpayBench.start();
    use(bench);
  });
  afterEach(() => {
    if (!bench) return;
    bench.razorpay.recover();
    bench.razorpay.showsPayments = true;
  });
  afterAll(() => bench?.close());
}
