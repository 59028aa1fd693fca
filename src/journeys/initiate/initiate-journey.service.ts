import { Injectable } from '@nestjs/common';
import type { PartnerKey } from '../../auth/index.js';
import { type Paise, rupeesToPaise } from '../../loans/index.js';
import { LeadBook } from '../../leads/index.js';
import { type Product, ProductCatalogue } from '../../products/index.js';
import {
  Clock,
  Database,
  Fault,
  Idempotency,
  type IdempotencyKey,
  type IdempotentResult,
  IdGenerator,
  RandomSource,
  sha256,
  type Tx,
} from '../../platform/index.js';
import { ApplicantFiles } from '../applicant-file.js';
import type { Journey } from '../journey.js';
import { JourneyAudit } from '../journey-audit.js';
import { JourneyMover } from '../journey-mover.js';
import { JourneysRepository } from '../journeys.repository.js';
import { OfferRequests } from '../offers/offer-requests.js';
import { nextActionOf } from '../states/next-action.js';
import { HostedLinks } from './hosted-links.js';
import { INITIATE_OPERATION } from './initiate-operation.js';
import { type InitiateRequest, readInitiateRequest } from './read-initiate-request.js';
import type { StartedJourney } from './started-journey.js';

/** Starts a journey: all of it in one transaction, or nothing. */
@Injectable()
export class InitiateJourneyService {
  constructor(
    private readonly database: Database,
    private readonly products: ProductCatalogue,
    private readonly journeys: JourneysRepository,
    private readonly applicants: ApplicantFiles,
    private readonly leads: LeadBook,
    private readonly offerRequests: OfferRequests,
    private readonly hostedLinks: HostedLinks,
    private readonly audit: JourneyAudit,
    private readonly mover: JourneyMover,
    private readonly idempotency: Idempotency,
    private readonly ids: IdGenerator,
    private readonly random: RandomSource,
    private readonly clock: Clock,
  ) {}

  /**
   * @param idempotencyKey null when the caller sent none
   * @throws Fault validation_failed, product_not_assigned (403), product_unavailable (404), and
   *   those of `Idempotency.once`
   */
  async initiate(
    key: PartnerKey,
    body: Record<string, unknown>,
    idempotencyKey: IdempotencyKey | null,
  ): Promise<IdempotentResult<StartedJourney>> {
    const defaults = { channel: key.defaultChannel, productCode: key.defaultProduct };
    const today = indianDate(this.clock.now());
    const request = readInitiateRequest(body, defaults, today, await this.products.list());
    if (!key.products.has(request.productCode)) throw new Fault('product_not_assigned');
    const product = await this.products.find(request.productCode);
    if (!product?.isEnabled) throw new Fault('product_unavailable');
    const loanAmount =
      request.loanAmount === undefined ? product.defaultAmount : rupeesToPaise(request.loanAmount);
    const call = { partnerId: key.partnerId, operation: INITIATE_OPERATION, idempotencyKey };
    return this.database.transaction((tx) =>
      this.idempotency.once(tx, call, () => this.start(tx, key, product, request, loanAmount)),
    );
  }

  private async start(
    tx: Tx,
    key: PartnerKey,
    product: Product,
    request: InitiateRequest,
    loanAmount: Paise,
  ): Promise<StartedJourney> {
    const isHeadless = request.channel === 'API_HEADLESS';
    const session = isHeadless ? this.random.token() : null;
    const journey = await this.write(tx, key, product, request, loanAmount, session);
    await this.audit.record(tx, journey, 'STARTED', null);
    await this.mover.publish(tx, journey, 'journey.initiated');
    // For a hosted journey no lender sees anything before the applicant has agreed to it.
    if (isHeadless) await this.offerRequests.ask(tx, journey);
    return {
      journeyId: journey.id,
      applicationId: journey.applicationId,
      nextAction: nextActionOf(journey),
      ...(session !== null
        ? { journeySession: session }
        : { hostedUrl: await this.hostedLinks.issue(tx, journey) }),
    };
  }

  private async write(
    tx: Tx,
    key: PartnerKey,
    product: Product,
    request: InitiateRequest,
    loanAmount: Paise,
    session: string | null,
  ): Promise<Journey> {
    const journeyId = this.ids.next('jrn');
    const applicationId = this.ids.next('app');
    await this.leads.open(tx, {
      id: applicationId,
      partnerId: key.partnerId,
      loanType: product.code,
      loanAmount,
      status: 'INITIATED',
      journeyId,
      submittedAt: this.clock.now(),
    });
    const { applicant, gold } = request;
    return this.journeys.insert(tx, {
      id: journeyId,
      partnerId: key.partnerId,
      keyId: key.id,
      applicationId,
      productCode: product.code,
      channel: request.channel,
      state: 'INITIATED',
      steps: product.steps,
      loanAmount,
      sessionHash: session === null ? null : sha256(session),
      eventSequence: 1,
      ...this.applicants.seal(journeyId, { applicant, ...(gold && { gold }) }),
    });
  }
}

/** The date in India, YYYY-MM-DD. */
function indianDate(time: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(time);
}
