import { Controller, HttpCode, Injectable, Logger, Param, Post, Req } from '@nestjs/common';
import { OperatorFlags } from '../operator-flags/index.js';
import { AddressLimiter, Database, Fault, type RawRequest, Tx } from '../platform/index.js';
import type {
  EventSubject,
  GatewayEvent,
  GatewayKind,
  GatewayRefundState,
  PaymentGateway,
} from './payment-gateway.js';
import { PaymentGateways } from './payment-gateways.js';
import { PaymentLedger } from './payment-ledger.js';
import { refundIdOf } from './payment-order.js';
import { RefundLedger } from './refunds/refund-ledger.js';
import type { PaymentOrder } from './store/payment-order.entity.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';
import type { PaymentRefund } from './store/payment-refund.entity.js';
import { PaymentRefundsRepository } from './store/payment-refunds.repository.js';
import { PaymentsRepository } from './store/payments.repository.js';

interface LockedRows {
  readonly order: PaymentOrder | null;
  readonly refund: PaymentRefund | null;
}

interface Misplaced {
  readonly partnerId: string;
  readonly subjectId: string;
  readonly orderId: string;
  readonly refundId?: string;
  /** Null: the operator's account. */
  readonly account: string | null;
}

/** Records each verified callback once, with its effects in one transaction. */
@Injectable()
export class PaymentCallbacks {
  private readonly logger = new Logger(PaymentCallbacks.name);

  constructor(
    private readonly database: Database,
    private readonly orders: PaymentOrdersRepository,
    private readonly payments: PaymentsRepository,
    private readonly refunds: PaymentRefundsRepository,
    private readonly ledger: PaymentLedger,
    private readonly refundLedger: RefundLedger,
    private readonly flags: OperatorFlags,
  ) {}

  /** @param account whose secret signed the event */
  async take({ kind }: PaymentGateway, account: string | null, event: GatewayEvent): Promise<void> {
    const { about, refund: reported } = event;
    if (!about && !reported) return;
    await this.database.transaction(async (tx) => {
      const order = about ? await this.findOrder(tx, kind, account, about) : null;
      const refund = reported ? await this.findRefund(tx, kind, account, reported) : null;
      if (!order && !refund) {
        // Not an error: the operator may sell other things through the account.
        this.logger.warn({
          msg: 'ignored a callback: its order or refund is not of this service',
          event: event.name,
        });
        return;
      }
      if (await this.isNew(tx, kind, event, { order, refund }))
        await this.apply(tx, event, { order, refund });
    });
  }

  private async apply(
    tx: Tx,
    { about, refund: reported }: GatewayEvent,
    { order, refund }: LockedRows,
  ): Promise<void> {
    if (order && about?.state) await this.ledger.apply(tx, order, about.state, 'CALLBACK');
    else if (order) await this.orders.nudge(tx, order.id);
    if (refund && reported) await this.refundLedger.apply(tx, refund, reported, 'CALLBACK');
  }

  /** Ignores refunds made in the gateway's dashboard. */
  private async findRefund(
    tx: Tx,
    kind: GatewayKind,
    account: string | null,
    { key }: GatewayRefundState,
  ): Promise<PaymentRefund | null> {
    const id = refundIdOf(key);
    const refund = id === null ? null : await this.refunds.lock(tx, id);
    if (refund?.gateway !== kind) return null;
    if (refund.account === account) return refund;
    const { partnerId, subjectId, orderId } = refund;
    const misplaced = { partnerId, subjectId, orderId, refundId: refund.id };
    await this.flag(tx, { ...misplaced, account: refund.account }, account);
    return null;
  }

  private async findOrder(
    tx: Tx,
    kind: GatewayKind,
    account: string | null,
    subject: EventSubject,
  ): Promise<PaymentOrder | null> {
    const order = await this.findBySubject(tx, kind, subject);
    if (order?.gateway !== kind) return null;
    if (order.account === account) return order;
    const { partnerId, subjectId, id: orderId } = order;
    await this.flag(tx, { partnerId, subjectId, orderId, account: order.account }, account);
    return null;
  }

  /** The account that called is not the order's. */
  private flag(tx: Tx, misplaced: Misplaced, calledFrom: string | null): Promise<void> {
    const { partnerId, subjectId, orderId, refundId, account } = misplaced;
    const facts = { orderId, refundId, account, calledFrom };
    const cause = [refundId ?? orderId, account ?? '-', calledFrom ?? '-'];
    return this.flags.raise(tx, {
      partnerId,
      subjectId,
      kind: 'OTHER_ACCOUNT',
      cause,
      detail: facts,
    });
  }

  private async findBySubject(
    tx: Tx,
    kind: GatewayKind,
    { orderId, gatewayOrderId }: EventSubject,
  ): Promise<PaymentOrder | null> {
    const byOrderId = orderId === null ? null : await this.orders.lock(tx, orderId);
    if (!byOrderId)
      return gatewayOrderId === null ? null : this.orders.lockByGatewayId(tx, kind, gatewayOrderId);
    const isNewPage = gatewayOrderId !== null && byOrderId.gatewayOrderId === null;
    const isMixed = isNewPage && (await this.orders.hasGatewayId(tx, kind, gatewayOrderId));
    return isMixed ? null : byOrderId;
  }

  private isNew(
    tx: Tx,
    gateway: GatewayKind,
    { eventId, name }: GatewayEvent,
    { order, refund }: LockedRows,
  ): Promise<boolean> {
    const { partnerId, subjectId } = (order ?? refund)!;
    const orderId = order?.id ?? refund!.orderId;
    const callback = { gateway, eventId, name, partnerId, subjectId, orderId };
    return this.payments.recordCallback(tx, callback);
  }
}

/**
 * Verifies the signature over the raw bytes before parsing; failures count against the client address. Responds 200
 * once the event is durable.
 */
@Controller('callbacks/payments')
export class PaymentCallbacksController {
  constructor(
    private readonly gateways: PaymentGateways,
    private readonly callbacks: PaymentCallbacks,
    private readonly addresses: AddressLimiter,
  ) {}

  @Post(':gateway')
  @HttpCode(200)
  receive(@Param('gateway') kind: string, @Req() request: RawRequest): Promise<{ received: true }> {
    return this.take(kind, null, request);
  }

  /** A lender's own account, with its own secret. */
  @Post(':gateway/:account')
  @HttpCode(200)
  receiveOfLender(
    @Param('gateway') kind: string,
    @Param('account') account: string,
    @Req() request: RawRequest,
  ): Promise<{ received: true }> {
    return this.take(kind, account, request);
  }

  private async take(
    kind: string,
    account: string | null,
    request: RawRequest,
  ): Promise<{ received: true }> {
    const gateway = this.gateways.find(kind);
    if (!gateway) throw new Fault('route_not_found');
    const { headers, rawBody: body } = request;
    const event = await gateway.readCallback({ headers, body }, account);
    this.addresses.markKnownCaller(request);
    await this.callbacks.take(gateway, account, event);
    return { received: true };
  }
}
