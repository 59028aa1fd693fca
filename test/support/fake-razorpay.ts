import { createHmac } from 'node:crypto';
import { FakeRefunds, type RefundEntity } from './fake-refunds.ts';
import { FaultyServer, type ReceivedCall, type Reply } from './faulty-server.ts';

export interface LinkEntity extends Record<string, unknown> {
  id: string;
  status: 'created' | 'partially_paid' | 'paid' | 'expired' | 'cancelled';
  amount: number;
  amount_paid: number;
  currency: string;
  reference_id: string;
  short_url: string;
  order_id: string;
  cancelled_at: number;
  expired_at: number;
}

export interface PaymentEntity extends Record<string, unknown> {
  id: string;
  amount: number;
  currency: string;
  status: 'captured' | 'refunded' | 'failed';
  method: string;
  order_id: string;
  created_at: number;
}

export interface Webhook {
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface RazorpayAccount {
  readonly keyId: string;
  readonly keySecret: string;
  readonly webhookSecret: string;
}

export const RAZORPAY_ACCOUNT: RazorpayAccount = {
  keyId: 'rzp_test_1234567890abcd',
  keySecret: 'the-key-secret',
  webhookSecret: 'the-webhook-secret',
};

const MIN_LIFE_SECONDS = 15 * 60;

/**
 * A fake of Razorpay's payment links and refunds on a real socket. Authentication, entities, errors and webhooks are as
 * documented.
 * @see https://razorpay.com/docs/api/payments/payment-links
 * @see https://razorpay.com/docs/webhooks/payment-links
 */
export class FakeRazorpay extends FaultyServer {
  readonly links = new Map<string, LinkEntity>();
  account = RAZORPAY_ACCOUNT;
  pages = 'https://rzp.io/i';
  idPrefix = 'Fake';
  now: () => Date = () => new Date();
  showsPayments = true;
  readonly refunds = new FakeRefunds({
    payment: (id) => this.paymentOf(id),
    nextId: () => this.next(),
    seconds: () => this.seconds(),
    refuse: refused,
  });
  private readonly payments = new Map<string, PaymentEntity[]>();
  private count = 0;

  linkOf(reference: string): LinkEntity {
    const link = [...this.links.values()].find(({ reference_id }) => reference_id === reference);
    if (!link) throw new Error(`no payment link has the reference ${reference}`);
    return link;
  }

  /** The applicant pays a link, in full by default. */
  pay(reference: string, differently: Partial<PaymentEntity> = {}): PaymentEntity {
    const link = this.linkOf(reference);
    const payment = this.paymentOn(link, { status: 'captured', ...differently });
    link.amount_paid += payment.amount;
    link.status = link.amount_paid >= link.amount ? 'paid' : 'partially_paid';
    return payment;
  }

  fail(reference: string): PaymentEntity {
    return this.paymentOn(this.linkOf(reference), {
      status: 'failed',
      error_code: 'BAD_REQUEST_ERROR',
      error_description: 'Payment failed',
      error_source: 'bank',
      error_step: 'payment_authorization',
      error_reason: 'payment_failed',
    });
  }

  paidOn(reference: string): PaymentEntity[] {
    const payments = this.payments.get(this.linkOf(reference).order_id) ?? [];
    return payments.filter(({ status }) => status !== 'failed');
  }

  end(reference: string, status: 'expired' | 'cancelled'): LinkEntity {
    const link = this.linkOf(reference);
    link.status = status;
    if (status === 'expired') link.expired_at = this.seconds();
    else link.cancelled_at = this.seconds();
    return link;
  }

  webhook(
    event: string,
    reference: string,
    { payment, eventId }: { payment?: PaymentEntity; eventId?: string } = {},
  ): Webhook {
    const { payments: _, ...link } = this.linkOf(reference);
    const isPayment = event.startsWith('payment.');
    const entities = { ...(!isPayment && { payment_link: link }), ...(payment && { payment }) };
    return this.notice(event, entities, eventId);
  }

  refundWebhook(event: string, refund: RefundEntity): Webhook {
    return this.notice(event, { refund, payment: this.paymentOf(refund.payment_id) });
  }

  private notice(event: string, entities: object, eventId = `evt_${this.next()}`): Webhook {
    const payload = Object.entries(entities).map(([name, entity]) => [name, { entity }]);
    return signedWebhook(
      {
        account_id: 'acc_BFQ7uQEaa7j2z7',
        contains: Object.keys(entities),
        created_at: this.seconds(),
        entity: 'event',
        event,
        payload: Object.fromEntries(payload),
      },
      eventId,
      this.account.webhookSecret,
    );
  }

  private paymentOf(id: string): PaymentEntity | undefined {
    return [...this.payments.values()].flat().find((payment) => payment.id === id);
  }

  private next(): string {
    this.count += 1;
    return `${this.idPrefix}${String(this.count).padStart(10, '0')}`;
  }

  private seconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }

  private paymentOn(link: LinkEntity, parts: Partial<PaymentEntity>): PaymentEntity {
    const payment: PaymentEntity = {
      id: `pay_${this.next()}`,
      entity: 'payment',
      amount: link.amount,
      currency: link.currency,
      status: 'captured',
      method: 'upi',
      order_id: link.order_id,
      description: `#${link.id.slice('plink_'.length)}`,
      email: 'gaurav.kumar@example.com',
      contact: '+919000090000',
      vpa: 'gaurav.kumar@exampleupi',
      notes: [],
      created_at: this.seconds(),
      ...parts,
    };
    this.payments.set(link.order_id, [...(this.payments.get(link.order_id) ?? []), payment]);
    return payment;
  }

  protected answer(call: ReceivedCall): Reply {
    const { keyId, keySecret } = this.account;
    const basic = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
    if (call.headers.authorization !== basic) return refused('Authentication failed', 401);
    const [, version, resource, id, verb] = call.path.split('/');
    if (version !== 'v1') return refused('The requested URL was not found on the server.', 404);
    if (resource === 'orders' && verb === 'payments') {
      const items = this.payments.get(id ?? '') ?? [];
      return { status: 200, body: { entity: 'collection', count: items.length, items } };
    }
    if (resource === 'refunds') return this.refunds.show(id ?? '');
    if (resource === 'payments' && verb === 'refund') return this.refunds.make(id ?? '', call);
    if (resource === 'payments' && verb === 'refunds') return this.refunds.list(id ?? '');
    if (call.method === 'POST' && !id) return this.create(call.body);
    if (call.method === 'GET' && !id) return this.list(call.query);
    const link = this.links.get(id ?? '');
    if (!link) return refused('The id provided does not exist');
    return verb === 'cancel' ? this.cancel(link) : { status: 200, body: this.shown(link) };
  }

  private create(body: Record<string, unknown>): Reply {
    const { amount, reference_id: reference, expire_by: expireBy } = body;
    if (!Number.isInteger(amount)) return refused('amount: must be an integer.');
    if (typeof reference !== 'string' || reference.length > 40) {
      return refused('reference_id: the length must be no more than 40.');
    }
    if (typeof expireBy === 'number' && expireBy < this.seconds() + MIN_LIFE_SECONDS) {
      return refused('timestamp must be atleast 15 minutes in future');
    }
    if (!isCustomerName(body.customer)) return refused('The name format is invalid.');
    if ([...this.links.values()].some(({ reference_id }) => reference_id === reference)) {
      return refused(`payment link creation with reference ID (${reference}) already attempted`);
    }
    const name = this.next();
    const link: LinkEntity = {
      accept_partial: false,
      ...body,
      amount: amount as number,
      amount_paid: 0,
      cancelled_at: 0,
      created_at: this.seconds(),
      currency: String(body.currency),
      expired_at: 0,
      id: `plink_${name}`,
      order_id: `order_${name}`,
      payments: null,
      reference_id: reference,
      reminders: [],
      short_url: `${this.pages}/${name}`,
      status: 'created',
      updated_at: this.seconds(),
      user_id: '',
    };
    this.links.set(link.id, link);
    return { status: 200, body: link };
  }

  private list(query: URLSearchParams): Reply {
    const reference = query.get('reference_id');
    const found = [...this.links.values()].filter(
      (link) => reference === null || link.reference_id === reference,
    );
    return {
      status: 200,
      body: { payment_links: found.slice(0, 10).map((link) => this.shown(link)) },
    };
  }

  private cancel(link: LinkEntity): Reply {
    if (link.status === 'paid' || link.status === 'partially_paid') {
      return refused('cannot cancel or expire an already paid/partially paid link');
    }
    if (link.status !== 'created') return refused('cannot cancel or expire an expired link');
    this.end(link.reference_id, 'cancelled');
    return { status: 200, body: this.shown(link) };
  }

  private shown(link: LinkEntity): unknown {
    const captured = (this.payments.get(link.order_id) ?? [])
      .filter(({ status }) => status === 'captured')
      .map(({ id, amount, method, status, created_at }) => ({
        amount,
        created_at,
        method,
        payment_id: id,
        plink_id: link.id,
        status,
        updated_at: created_at,
      }));
    return { ...link, payments: this.showsPayments && captured.length > 0 ? captured : null };
  }
}

/** Any body as a webhook with Razorpay's signature. */
export function signedWebhook(
  body: unknown,
  eventId: string,
  secret: string = RAZORPAY_ACCOUNT.webhookSecret,
): Webhook {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    body: text,
    headers: {
      'content-type': 'application/json',
      'x-razorpay-event-id': eventId,
      'x-razorpay-signature': createHmac('sha256', secret).update(text).digest('hex'),
    },
  };
}

function isCustomerName(customer: unknown): boolean {
  const { name } = customer as { name?: string };
  return name === undefined || /^[a-z0-9 .'/@()]{3,50}$/i.test(name);
}

function refused(description: string, status = 400): Reply {
  return {
    status,
    body: {
      error: {
        code: 'BAD_REQUEST_ERROR',
        description,
        metadata: {},
        reason: 'NA',
        source: 'NA',
        step: 'NA',
      },
    },
  };
}
