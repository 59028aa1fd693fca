import { Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentKey, CurrentRequest, type PartnerKey, Scoped } from '../../auth/index.js';
import type { SignedRequest } from '../../consents/index.js';
import { FEE } from '../../journey-steps/index.js';
import {
  CurrentIdempotencyKey,
  type IdempotencyKey,
  type IdempotentResult,
  JsonBody,
  namedLanguage,
  PartnerApi,
  PartnerCall,
} from '../../platform/index.js';
import { CreateInstantLoanService } from './create-instant-loan.service.js';
import { CreatedInstantLoan, InstantLoanBody } from './instant-loan.dto.js';

const EXAMPLES = {
  least: {
    summary: 'Only required fields',
    value: { mobile: '9876543210', customer: { pan: 'ABCDE1234F', firstName: 'Asha' } },
  },
  full: {
    summary: 'With an amount and optional fields',
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

const CreateInstantLoanCall = PartnerCall({
  operationId: 'createInstantLoan',
  summary: 'Create an instant personal loan application',
  description:
    'Creates an application and asks the lenders for binding offers; responds ' +
    'before they do. Send the applicant to `redirectUrl` now or later. The page waits for the ' +
    'offers and compares them; the applicant chooses one, sees its key facts and fee, and ' +
    'continues to the payment gateway. The ' +
    'applicant also gets the link by SMS, in Hindi or English by the call’s ' +
    '`Accept-Language`, else in the service’s default language. `GET /leads/{applicationId}/status` ' +
    'returns the progress: `PAYMENT_PENDING` (waiting for offers, or for the fee), `PAYMENT_FAILED` (it ' +
    'can be paid again), `PAYMENT_RECEIVED` ' +
    '(the lender decides), then `SANCTIONED` (its payout is not reported) or `REJECTED`; `REJECTED` without a payment if no ' +
    'lender makes an offer; `EXPIRED` if it was not paid ' +
    `within ${FEE.payHours} hours, or before its offer expired. An instant loan sends only \`lead.status_changed\`, ` +
    'to subscriptions that name it.',
  answer: CreatedInstantLoan,
  body: { type: InstantLoanBody, examples: EXAMPLES },
  failures: ['product_not_assigned', 'product_unavailable'],
  isIdempotent: true,
});

@PartnerApi('instant-loans')
export class InstantLoansController {
  constructor(private readonly creation: CreateInstantLoanService) {}

  @CreateInstantLoanCall
  @Post()
  @Scoped('instant-loans:write')
  create(
    @CurrentKey() key: PartnerKey,
    @JsonBody() body: Record<string, unknown>,
    @CurrentIdempotencyKey() idempotencyKey: IdempotencyKey | null,
    @CurrentRequest() cameBy: SignedRequest,
    @Req() request: Request,
  ): Promise<IdempotentResult<CreatedInstantLoan>> {
    const language = namedLanguage(request);
    return this.creation.create(key, body, idempotencyKey, language, cameBy);
  }
}
