import { HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentKey, CurrentRequest, type PartnerKey, Scoped } from '../../auth/index.js';
import type { SignedRequest } from '../../consents/index.js';
import {
  CurrentIdempotencyKey,
  type IdempotencyKey,
  JsonBody,
  namedLanguage,
  PartnerApi,
} from '../../platform/index.js';
import { CreateInstantLoanService } from './create-instant-loan.service.js';
import type { CreatedInstantLoan } from './instant-loan.dto.js';
import { CreateInstantLoanCall } from './instant-loans.api.js';

@PartnerApi('instant-loans')
export class InstantLoansController {
  constructor(private readonly creation: CreateInstantLoanService) {}

  @CreateInstantLoanCall()
  @Post()
  @HttpCode(200)
  @Scoped('instant-loans:write')
  async create(
    @CurrentKey() key: PartnerKey,
    @JsonBody() body: Record<string, unknown>,
    @CurrentIdempotencyKey() idempotencyKey: IdempotencyKey | null,
    @CurrentRequest() cameBy: SignedRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CreatedInstantLoan> {
    const language = namedLanguage(request);
    const result = await this.creation.create(key, body, idempotencyKey, language, cameBy);
    if (result.isReplayed) response.setHeader('Idempotency-Replayed', 'true');
    return result.answer;
  }
}
