import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import {
  AnswersWithScreens,
  Database,
  enteredIn,
  Fault,
  Page,
  type RawRequest,
  SeeOther,
} from '../platform/index.js';
import {
  isOpen,
  SANDBOX_GATEWAY_NAME,
  type SandboxPayment,
  SandboxPayments,
} from './sandbox-payments.js';
import { sandboxOutcome } from './reserved-pans.js';
import {
  PAYMENT_METHODS,
  type PaymentDecision,
  type PaymentMethod,
} from './store/sandbox-payments.repository.js';

const LATE_SECONDS = 10;

const TONES: Readonly<Partial<Record<SandboxPayment['status'], string>>> = {
  PAID: 'good',
  FAILED: 'bad',
  EXPIRED: 'warn',
  CANCELLED: 'warn',
};

const METHOD_KEYS: Readonly<Record<PaymentMethod, string>> = {
  upi: 'sandbox.payment.method.upi',
  card: 'sandbox.payment.method.card',
  netbanking: 'sandbox.payment.method.netbanking',
};

const STATUS_TEXTS: Record<SandboxPayment['status'], string> = {
  // An open order shows its buttons instead.
  OPEN: 'sandbox.payment.standing.pending',
  PAID: 'sandbox.payment.standing.paid',
  FAILED: 'sandbox.payment.standing.failed',
  EXPIRED: 'instant.expired',
  CANCELLED: 'sandbox.payment.standing.cancelled',
};

type Visit = PaymentDecision | null;

/**
 * In a sandbox only. The form needs no CSRF token: the page's address grants access. So any HTTP
 * client can post `outcome` (pay, fail, leave), `method` (upi, card, netbanking), `late` and
 * `twice`.
 */
@Controller('sandbox/payment')
@AnswersWithScreens()
export class SandboxPaymentPageController {
  constructor(
    private readonly database: Database,
    private readonly payments: SandboxPayments,
  ) {}

  @Get(':token')
  async show(@Param('token') token: string): Promise<Page> {
    const payment = await this.payments.find(this.orderOf(token));
    if (!payment?.details) throw new Fault('link_not_found');
    const { payeeName, returnUrl, pan } = payment.details;
    return new Page('sandbox/payment', {
      titleKey: 'sandbox.payment.title',
      sheets: ['sandbox.css'],
      action: `/sandbox/payment/${token}`,
      gateway: SANDBOX_GATEWAY_NAME,
      amount: payment.amount,
      payeeName,
      expiresAt: payment.expiresAt,
      reference: payment.orderId,
      returnUrl,
      isOpen: isOpen(payment),
      tone: TONES[payment.status],
      statusKey: statusKey(payment),
      alwaysFails: sandboxOutcome(pan) === 'PAYMENT_FAILS',
      methods: methodOptions(),
    });
  }

  @Post(':token')
  async decide(@Param('token') token: string, @Req() request: RawRequest): Promise<SeeOther> {
    const orderId = this.orderOf(token);
    const visit = readVisit(request);
    const payment = await this.payments.find(orderId);
    if (!payment?.details) throw new Fault('link_not_found');
    if (visit) await this.database.transaction((tx) => this.payments.press(tx, orderId, visit));
    return new SeeOther(payment.details.returnUrl);
  }

  private orderOf(token: string): string {
    const orderId = this.payments.orderOf(token);
    if (orderId === null) throw new Fault('link_not_found');
    return orderId;
  }
}

function statusKey({ status, isDecided }: SandboxPayment): string {
  return status === 'OPEN' && isDecided ? 'sandbox.payment.standing.pending' : STATUS_TEXTS[status];
}

function methodOptions() {
  return PAYMENT_METHODS.map((value) => ({ value, labelKey: METHOD_KEYS[value] }));
}

/** @throws Fault malformed_request for values that the page does not send */
function readVisit(request: RawRequest): Visit {
  const form = enteredIn(request);
  const { outcome } = form;
  if (outcome === 'leave') return null;
  if (outcome !== 'pay' && outcome !== 'fail') throw new Fault('malformed_request');
  return {
    outcome: outcome === 'pay' ? 'PAID' : 'FAILED',
    method: methodOf(form.method),
    delaySeconds: 'late' in form ? LATE_SECONDS : 0,
    callbacks: 'twice' in form ? 2 : 1,
  };
}

function methodOf(text: string | undefined): PaymentMethod {
  const [first] = PAYMENT_METHODS;
  return PAYMENT_METHODS.find((method) => method === text) ?? first;
}
