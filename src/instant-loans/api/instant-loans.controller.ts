import { HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentKey, CurrentRequest, type PartnerKey, Scoped } from '../../auth/index.js';
import type { SignedRequest } from '../../consents/index.js';
import { FEE } from '../../journey-steps/index.js';
import {
  CurrentIdempotencyKey,
  type IdempotencyKey,
  JsonBody,
  namedLanguage,
  PartnerApi,
  PartnerCall,
} from '../../platform/index.js';
import { CreateInstantLoanService } from './create-instant-loan.service.js';
import { CreatedInstantLoan, InstantLoanBody } from './instant-loan.dto.js';

const CreateInstantLoanCall = () =>
  PartnerCall({
    operationId: 'createInstantLoan',
    summary: 'Create an instant personal loan application',
    description:
      'Takes an application for an instant loan, and asks the lenders for binding offers; it answers ' +
      'before they do. Send the applicant to `redirectUrl` at once or later: the page waits for the ' +
      'offers and compares them, the applicant chooses one, sees its key facts and its fee, and ' +
      'goes on to the payment gateway. The ' +
      'same link goes to the applicant by SMS, in Hindi or English as the call’s ' +
      '`Accept-Language` names one, else in the service’s usual language. `GET /leads/{applicationId}/status` tells how it ' +
      'goes on: `PAYMENT_PENDING` (offers are awaited, or the fee is to be paid), `PAYMENT_FAILED` (it ' +
      'can be paid again), `PAYMENT_RECEIVED` ' +
      '(the lender decides), then `SANCTIONED` or `REJECTED`; `REJECTED` without a payment when no ' +
      'lender makes an offer; `EXPIRED` when it was not paid ' +
      `within ${FEE.payHours} hours, or before its offer ran out. Instant loans send no webhooks.`,
    answer: CreatedInstantLoan,
    body: { type: InstantLoanBody, examples: EXAMPLES },
    failures: ['product_not_assigned', 'product_unavailable'],
    isIdempotent: true,
  });

const EXAMPLES = {
  least: {
    summary: 'What is required',
    value: { mobile: '9876543210', customer: { pan: 'ABCDE1234F', firstName: 'Asha' } },
  },
  full: {
    summary: 'With an amount and more of the applicant',
    value: {
      mobile: '9876543210',
      loanAmount: 40_000,
      customer: {
        pan: 'ABCDE1234F',
        fullName: 'Asha Verma',
        dob: '1990-04-15',
        employmentType: 'salaried',
        monthlyIncome: 60_000,
        pinCode: '560001',
        personalEmail: 'asha.verma@example.com',
      },
    },
  },
};

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
