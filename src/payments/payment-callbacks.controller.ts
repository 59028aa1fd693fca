import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { AddressLimiter, Fault, type RawRequest } from '../platform/index.js';
import { PaymentCallbacks } from './payment-callbacks.js';
import { PaymentGateways } from './payment-gateways.js';

/**
 * The signature over the raw bytes is checked before parsing; failures count against the caller's address. 200 is
 * sent once the event is durable.
 */
@Controller('callbacks/payments')
export class PaymentCallbacksController {
  constructor(
    private readonly gateways: PaymentGateways,
    private readonly callbacks: PaymentCallbacks,
    private readonly addresses: AddressLimiter,
  ) {}

  /** The operator's account. */
  @Post(':gateway')
  @HttpCode(200)
  receive(@Param('gateway') kind: string, @Req() request: RawRequest): Promise<{ received: true }> {
    return this.take(kind, null, request);
  }

  /** A lender's own account: its secret signs only for that. */
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
