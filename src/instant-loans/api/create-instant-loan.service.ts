import { Injectable } from '@nestjs/common';
import type { PartnerKey } from '../../auth/index.js';
import { ConsentLog, type SignedRequest } from '../../consents/index.js';
import { INSTANT_OPERATION } from '../../journeys/index.js';
import { rupeesToPaise } from '../../loans/index.js';
import {
  Clock,
  Database,
  Fault,
  Idempotency,
  type IdempotencyKey,
  type IdempotentResult,
  type Language,
  validationFault,
} from '../../platform/index.js';
import { INSTANT_PRODUCT, ProductCatalogue } from '../../settings/index.js';
import type { CreatedInstantLoan } from './instant-loan.dto.js';
import { readInstantLoanRequest } from './read-instant-loan-request.js';
import { InstantLenders } from '../use-cases/instant-lenders.js';
import {
  NewApplications,
  type WellFormedApplication,
  type WrittenApplication,
} from '../use-cases/new-applications.js';
import { SmsAnswer } from '../use-cases/sms-answer.js';

/** `smsSent` is not known in the transaction. */
type KeptAnswer = Omit<CreatedInstantLoan, 'smsSent'>;

@Injectable()
export class CreateInstantLoanService {
  constructor(
    private readonly database: Database,
    private readonly products: ProductCatalogue,
    private readonly lenders: InstantLenders,
    private readonly applications: NewApplications,
    private readonly smsAnswer: SmsAnswer,
    private readonly consents: ConsentLog,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
  ) {}

  /**
   * Calls no lender and no payment gateway; the SMS gateway for two seconds at most.
   * @param language null: the brand's
   * @throws Fault validation_failed, product_not_assigned (403), product_unavailable (404), and
   * those of `Idempotency.once`
   */
  async create(
    key: PartnerKey,
    body: Record<string, unknown>,
    idempotencyKey: IdempotencyKey | null,
    language: Language | null,
    cameBy: SignedRequest,
  ): Promise<IdempotentResult<CreatedInstantLoan>> {
    const application = { ...(await this.read(key, body, language)), cameBy };
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
    return { answer: { ...answer, smsSent }, isReplayed };
  }

  private async read(
    key: PartnerKey,
    body: Record<string, unknown>,
    language: Language | null,
  ): Promise<Omit<WellFormedApplication, 'cameBy'>> {
    const product = await this.products.find(INSTANT_PRODUCT);
    const now = this.clock.now();
    const request = readInstantLoanRequest(body, now, product);
    const { loanAmount: rupees, applicant, consent } = request;
    await this.consents.refuseUnknownLenders(consent);
    if (!key.products.has(INSTANT_PRODUCT)) throw new Fault('product_not_assigned');
    if (!product?.isEnabled) throw new Fault('product_unavailable');
    const loanAmount = rupees === undefined ? product.defaultAmount : rupeesToPaise(rupees);
    const lenders = await this.lenders.forAmount(loanAmount, consent.namedLenders);
    if (lenders.length === 0) {
      const message = 'must be an amount that one of the lenders lends: none does this one';
      throw validationFault([{ field: 'loanAmount', message }]);
    }
    const loanAmountSource = rupees === undefined ? 'DEFAULT' : 'PARTNER';
    return { product, loanAmount, loanAmountSource, applicant, consent, language };
  }
}
