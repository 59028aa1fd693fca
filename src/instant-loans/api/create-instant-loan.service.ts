import { Injectable, Logger } from '@nestjs/common';
import { checkAge, givenFields } from '../../applicants/index.js';
import type { PartnerKey } from '../../auth/index.js';
import {
  ConsentLog,
  type PartnerConsent,
  readPartnerConsent,
  type SignedRequest,
} from '../../consents/index.js';
import { INSTANT_OPERATION } from '../../journeys/index.js';
import { givenReference, LoanReturnUrls, type PartnerReference } from '../../leads/index.js';
import type { LenderApplicant } from '../../lenders/index.js';
import { dayInIndia, rupeesToPaise } from '../../loans/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import {
  checkBody,
  Clock,
  Database,
  Fault,
  type FieldProblem,
  Idempotency,
  type IdempotencyKey,
  IdempotentResult,
  type Language,
  logFailure,
  validationFault,
} from '../../platform/index.js';
import { checkLoanAmount } from '../../products/index.js';
import { INSTANT_PRODUCT, type Product, ProductCatalogue } from '../../settings/index.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import {
  InstantLenders,
  NewApplications,
  type WellFormedApplication,
  type WrittenApplication,
} from '../use-cases/new-applications.js';
import {
  type CreatedInstantLoan,
  type InstantCustomer,
  InstantLoanBody,
} from './instant-loan.dto.js';

/** Longer than the call waits for the SMS. */
const IN_FLIGHT_SECONDS = 5;

/** `smsSent` is known only after the commit; written once, so that replays return the same. */
@Injectable()
export class SmsAnswer {
  private readonly logger = new Logger(SmsAnswer.name);

  constructor(
    private readonly database: Database,
    private readonly loans: InstantLoansRepository,
    private readonly smsOutbox: SmsOutbox,
  ) {}

  /** Takes two seconds at most. */
  async settle(applicationId: string, smsId: string): Promise<boolean> {
    const isSent = await this.smsOutbox.handOver(smsId);
    try {
      return await this.loans.settleSms(applicationId, isSent);
    } catch (error) {
      // The application exists even if this write fails.
      logFailure(this.logger, error, { applicationId });
      return isSent;
    }
  }

  /**
   * Returns the SMS's state if the first call died.
   * @throws Fault idempotency_in_flight
   */
  async replay(applicationId: string): Promise<boolean> {
    const state = await this.loans.smsState(applicationId, IN_FLIGHT_SECONDS);
    if (!state) throw new Error(`there is no application ${applicationId}`);
    const { isSmsSent, mayBeInFlight, smsId } = state;
    if (isSmsSent !== null) return isSmsSent;
    if (mayBeInFlight) throw new Fault('idempotency_in_flight', { retryAfterSeconds: 2 });
    const isSent = await this.database.transaction((tx) => this.smsOutbox.isHandedOver(tx, smsId));
    return this.loans.settleSms(applicationId, isSent);
  }
}

/** `smsSent` is unknown inside the transaction. */
type KeptAnswer = Omit<CreatedInstantLoan, 'smsSent'>;

@Injectable()
export class InstantLoanRequests {
  constructor(
    private readonly products: ProductCatalogue,
    private readonly lenders: InstantLenders,
    private readonly consents: ConsentLog,
    private readonly returnUrls: LoanReturnUrls,
    private readonly clock: Clock,
  ) {}

  /** @throws Fault validation_failed, product_not_assigned (403), product_unavailable (404) */
  async read(
    key: PartnerKey,
    body: Record<string, unknown>,
    language: Language | null,
  ): Promise<Omit<WellFormedApplication, 'cameBy'>> {
    const product = await this.products.find(INSTANT_PRODUCT);
    const now = this.clock.now();
    const request = readInstantLoanRequest(body, now, product);
    const { loanAmount: rupees, applicant, consent } = request;
    await this.consents.refuseUnknownLenders(consent);
    const reference = await this.returnUrls.checked(key.partnerId, request.reference);
    if (!key.products.has(INSTANT_PRODUCT)) throw new Fault('product_not_assigned');
    if (!product?.isEnabled) throw new Fault('product_unavailable');
    const loanAmount = rupees === undefined ? product.defaultAmount : rupeesToPaise(rupees);
    const lenders = await this.lenders.forAmount(loanAmount, consent.namedLenders);
    if (lenders.length === 0) {
      const message = 'must be an amount that a lender offers; no lender offers this amount';
      throw validationFault([{ field: 'loanAmount', message }]);
    }
    const loanAmountSource = rupees === undefined ? 'DEFAULT' : 'PARTNER';
    return { product, loanAmount, loanAmountSource, applicant, consent, reference, language };
  }
}

@Injectable()
export class CreateInstantLoanService {
  constructor(
    private readonly database: Database,
    private readonly requests: InstantLoanRequests,
    private readonly applications: NewApplications,
    private readonly smsAnswer: SmsAnswer,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Calls no lender or payment gateway; waits two seconds at most for the SMS.
   * @param language null: the brand's
   * @throws Fault those of `InstantLoanRequests.read` and `Idempotency.once`
   */
  async create(
    key: PartnerKey,
    body: Record<string, unknown>,
    idempotencyKey: IdempotencyKey | null,
    language: Language | null,
    cameBy: SignedRequest,
  ): Promise<IdempotentResult<CreatedInstantLoan>> {
    const application = { ...(await this.requests.read(key, body, language)), cameBy };
    const call = { partnerId: key.partnerId, operation: INSTANT_OPERATION, idempotencyKey };
    let written: WrittenApplication | undefined;
    const { answer, isReplayed } = await this.database.transaction((tx) =>
      this.idempotency.once<KeptAnswer>(tx, call, async () => {
        written = await this.applications.write(tx, key, application);
        const { id: applicationId, journeyId, redirectUrl } = written;
        return { applicationId, journeyId, redirectUrl };
      }),
    );
    const smsSent = written
      ? await this.smsAnswer.settle(written.id, written.smsId)
      : await this.smsAnswer.replay(answer.applicationId);
    return new IdempotentResult({ ...answer, smsSent }, isReplayed);
  }
}

interface InstantLoanRequest {
  /** In rupees; absent: the product's default. */
  readonly loanAmount?: number;
  readonly applicant: LenderApplicant;
  readonly consent: PartnerConsent;
  readonly reference: PartnerReference;
}

/**
 * @param product null: the amount is not checked
 * @throws Fault validation_failed
 */
export function readInstantLoanRequest(
  body: Record<string, unknown>,
  now: Date,
  product: Product | null,
): InstantLoanRequest {
  const { value, problems } = checkBody(InstantLoanBody, body);
  const isCustomer = !problems.some(({ field }) => field === 'customer');
  if (isCustomer) checkCustomer(value.customer, problems, dayInIndia(now));
  checkLoanAmount(value.loanAmount, product ?? undefined, problems);
  const hasAcceptedTerms = value.customer?.termsAccepted === true;
  const consent = readPartnerConsent(value.consent, hasAcceptedTerms, now, problems);
  if (problems.length > 0) throw validationFault(problems);
  return {
    loanAmount: value.loanAmount,
    consent,
    reference: givenReference(value),
    applicant: { ...givenFields(value.customer), mobile: value.mobile, pan: value.customer.pan },
  };
}

function checkCustomer(customer: InstantCustomer, problems: FieldProblem[], today: string): void {
  const isNamed = (field: string) => problems.some((problem) => problem.field === field);
  const hasName = customer.firstName !== undefined || customer.fullName !== undefined;
  if (!hasName && !isNamed('customer.firstName')) {
    const message = 'is missing; give it or customer.fullName';
    problems.push({ field: 'customer.firstName', message });
  }
  checkAge(customer.dob, problems, today);
}
