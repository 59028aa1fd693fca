import { Injectable, Param, Post, Req } from '@nestjs/common';
import { CurrentPartner, type PartnerIdentity, Scoped } from '../../auth/index.js';
import {
  InstantLoanLinks,
  InstantLoanPages,
  type InstantLoanStage,
  type InstantLoanView,
  isToPay,
  type PaymentVisit,
} from '../../instant-loans/index.js';
import { LeadsRepository } from '../../leads/index.js';
import {
  ChoiceField,
  CurrentIdempotencyKey,
  Database,
  Fault,
  isFault,
  Idempotency,
  type IdempotencyKey,
  type IdempotentResult,
  parseJsonBody,
  PartnerApi,
  PartnerCall,
  type RawRequest,
  ShownChoice,
  ShownId,
  validated,
} from '../../platform/index.js';
import { SandboxPayments } from '../../sandbox/index.js';
import { INSTANT_PRODUCT } from '../../settings/index.js';

const OUTCOMES = ['PAID', 'FAILED'] as const;

class SandboxPaymentBody {
  @ChoiceField(OUTCOMES, { about: 'The result of the payment.', example: 'PAID' })
  outcome: (typeof OUTCOMES)[number];
}

class SandboxPaymentView {
  @ShownId('app', 'The application.')
  applicationId: string;

  @ShownChoice(
    'The result of the payment: as requested, unless the reserved PAN `SANDX0010A` makes it fail.',
    OUTCOMES,
  )
  outcome: (typeof OUTCOMES)[number];
}

const EXAMPLES = {
  paid: { summary: 'The fee is paid', value: { outcome: 'PAID' } },
  failed: { summary: 'The payment fails', value: { outcome: 'FAILED' } },
};

const PaySandboxInstantLoanCall = PartnerCall({
  operationId: 'paySandboxInstantLoan',
  summary: 'Pay an instant loan’s fee in the sandbox',
  description:
    'Acts like an applicant on our page and the simulated payment page: acknowledges the Key Facts Statement of ' +
    'the chosen offer, continues to its fee, and pays or fails to pay. The simulated gateway then calls back, ' +
    'so `GET /leads/{applicationId}/status` returns the new status a moment later. ' +
    'After `FAILED` it can be paid again. An application with nothing to pay gets 409 `payment_not_due`; ' +
    'while lenders have not answered, `Retry-After` says when to retry. Production answers ' +
    '404.',
  answer: SandboxPaymentView,
  body: { type: SandboxPaymentBody, examples: EXAMPLES },
  failures: ['payment_not_due'],
  isIdempotent: true,
});

const APPLICATION_ID = /^app_[0-9a-f]{32}$/;
/** Of the applicant, recorded in the audit. */
const LANGUAGE = 'en';
/** Another offer may be chosen between reading the page and pressing. */
const PRESSES = 3;

interface WhyNot {
  readonly text: string;
  /** A retry may succeed soon. */
  readonly isSoon?: boolean;
}

/** By the stage of the applicant's page. */
const WHY_NOT: Readonly<Record<InstantLoanStage, WhyNot>> = {
  OFFERS: {
    text: 'The lenders have not answered yet; retry in a moment',
    isSoon: true,
  },
  TO_CHOOSE: {
    text: 'The lenders had not answered yet, or the chosen offer is gone; retry',
    isSoon: true,
  },
  TO_PAY: { text: 'A payment is in progress; read the application’s status', isSoon: true },
  TO_PAY_AGAIN: { text: 'A payment is in progress; read the application’s status', isSoon: true },
  LAST_CHECK: { text: 'The time to pay is over; start another application' },
  EXPIRED: { text: 'The application is EXPIRED; start another application' },
  NO_OFFER: {
    text: 'The application is REJECTED: no lender made an offer; start another application',
  },
  REJECTED: { text: 'The application is REJECTED; start another application' },
  UNDER_DECISION: {
    text: 'The application is PAYMENT_RECEIVED: its fee is paid; read its status until the lender decides',
  },
  SANCTIONED: { text: 'The application is SANCTIONED: its fee is paid; nothing to do' },
};

interface OwnedApplication {
  readonly partnerId: string;
  readonly applicationId: string;
}

/**
 * Takes the applicant's steps, choosing the first offer if none is chosen. The gateway's callback
 * does the rest. In the sandbox only.
 */
@Injectable()
export class PayInstantLoan {
  constructor(
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    private readonly leads: LeadsRepository,
    private readonly links: InstantLoanLinks,
    private readonly pages: InstantLoanPages,
    private readonly gateway: SandboxPayments,
  ) {}

  /**
   * @param request its body is read only after the partner's ownership is checked
   * @throws Fault application_not_found, malformed_json, unsupported_media_type, validation_failed,
   * payment_not_due, service_unavailable, and those of `Idempotency.once`
   */
  async pay(
    { partnerId, applicationId }: OwnedApplication,
    { rawBody, headers }: RawRequest,
    idempotencyKey: IdempotencyKey | null,
  ): Promise<IdempotentResult<SandboxPaymentView>> {
    await this.refuseOthers(partnerId, applicationId);
    const { outcome } = validated(SandboxPaymentBody, parseJsonBody(rawBody, headers));
    const operation = `sandbox-payment/${applicationId}`;
    const call = { partnerId, operation, idempotencyKey };
    const before = await this.database.transaction((tx) =>
      this.idempotency.before<SandboxPaymentView>(tx, call),
    );
    if (before) return before;
    const token = this.links.payToken(applicationId);
    const orderId = await this.order(token);
    try {
      return await this.database.transaction((tx) =>
        // Another call with the same key may have paid by now.
        this.idempotency.once(tx, call, async () => {
          const wished = { outcome, method: 'upi', delaySeconds: 0, callbacks: 1 } as const;
          const done = orderId && (await this.gateway.press(tx, orderId, wished));
          if (!done) throw new Fault('payment_not_due');
          return { applicationId, outcome: done };
        }),
      );
    } catch (error) {
      if (!isFault(error, 'payment_not_due')) throw error;
      throw await this.whyNot(token);
    }
  }

  private async refuseOthers(partnerId: string, applicationId: string): Promise<void> {
    const isId = APPLICATION_ID.test(applicationId);
    const lead = isId ? await this.leads.find(partnerId, applicationId) : null;
    if (lead?.loanType !== INSTANT_PRODUCT) throw new Fault('application_not_found');
  }

  /** The order with an open page; null when nothing is due. */
  private async order(token: string): Promise<string | null> {
    for (let press = 1; press <= PRESSES; press += 1) {
      const visit = await this.visit(token);
      if (visit.kind === 'NOTHING_TO_PAY') return null;
      if (visit.kind !== 'GATEWAY') continue;
      if (await this.gateway.find(visit.orderId)) return visit.orderId;
      const message = 'This fee is paid on a real gateway’s test page; open redirectUrl';
      throw new Fault('payment_not_due', { message });
    }
    throw new Fault('service_unavailable', { retryAfterSeconds: 1 });
  }

  private async visit(token: string): Promise<PaymentVisit> {
    const view = await this.chosenView(token);
    if (!isToPay(view)) return { kind: 'NOTHING_TO_PAY' };
    const { keyFactsHash } = view;
    const press = { hasRead: true, keyFactsHash, language: LANGUAGE } as const;
    return this.pages.pay(token, press);
  }

  private async chosenView(token: string): Promise<InstantLoanView> {
    const view = await this.pages.view(token, LANGUAGE);
    if (view.stage !== 'TO_CHOOSE') return view;
    const first = view.compared.find(({ canChoose }) => canChoose);
    await this.pages.choose(token, first?.offerId ?? '', { language: LANGUAGE });
    return this.pages.view(token, LANGUAGE);
  }

  private async whyNot(token: string): Promise<Fault> {
    const view = await this.pages.view(token, LANGUAGE);
    const { text, isSoon } = WHY_NOT[view.stage];
    return new Fault('payment_not_due', {
      message: text,
      ...(isSoon && { retryAfterSeconds: 1 }),
    });
  }
}

/** For partners' tests, which have no browser. In the sandbox only. */
@PartnerApi('sandbox/instant-loans')
export class SandboxPaymentController {
  constructor(private readonly paying: PayInstantLoan) {}

  @PaySandboxInstantLoanCall
  @Post(':applicationId/payment')
  @Scoped('sandbox:travel')
  pay(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('applicationId') applicationId: string,
    @CurrentIdempotencyKey() idempotencyKey: IdempotencyKey | null,
    @Req() request: RawRequest,
  ): Promise<IdempotentResult<SandboxPaymentView>> {
    const loan = { partnerId, applicationId };
    return this.paying.pay(loan, request, idempotencyKey);
  }
}
