import { HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPartner, type PartnerIdentity, Scoped } from '../../auth/index.js';
import {
  CurrentIdempotencyKey,
  type IdempotencyKey,
  PartnerApi,
  type RawRequest,
} from '../../platform/index.js';
import { PayInstantLoan } from './pay-instant-loan.js';
import { PaySandboxInstantLoanCall, type SandboxPaymentView } from './sandbox-payment.api.js';

/** For partners' tests, which have no browser. In the sandbox only. */
@PartnerApi('sandbox/instant-loans')
export class SandboxPaymentController {
  constructor(private readonly paying: PayInstantLoan) {}

  @PaySandboxInstantLoanCall()
  @Post(':applicationId/payment')
  @HttpCode(200)
  @Scoped('sandbox:travel')
  async pay(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('applicationId') applicationId: string,
    @CurrentIdempotencyKey() idempotencyKey: IdempotencyKey | null,
    @Req() request: RawRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SandboxPaymentView> {
    const loan = { partnerId, applicationId };
    const result = await this.paying.pay(loan, request, idempotencyKey);
    if (result.isReplayed) response.setHeader('Idempotency-Replayed', 'true');
    return result.answer;
  }
}
