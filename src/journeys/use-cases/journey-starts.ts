import { Injectable } from '@nestjs/common';
import type { PartnerKey } from '../../auth/index.js';
import { type AttestedConsent, ConsentLog, type SignedRequest } from '../../consents/index.js';
import { rupeesToPaise } from '../../loans/index.js';
import { LeadWriter } from '../../leads/index.js';
import {
  Clock,
  Database,
  Idempotency,
  type IdempotencyKey,
  type IdempotentResult,
  IdGenerator,
  RandomSource,
  sha256,
  type Tx,
} from '../../platform/index.js';
import { ApplicantFiles } from '../domain/applicant-file.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyMover } from '../domain/journey-mover.js';
import { JourneysRepository, type NewJourney } from '../store/journeys.repository.js';
import { OfferRequests } from '../offers/offer-requests.js';
import { nextActionOf } from '../domain/next-action.js';
import { START } from '../domain/transition-table.js';
import { HostedLinks } from '../access/hosted-links.js';
import type { InitiateRequest } from '../api/read-initiate-request.js';
import type { StartedJourney } from '../api/started-journey.js';
import { type Product, ServiceSettings } from '../../settings/index.js';

export interface JourneyStart {
  readonly key: PartnerKey;
  readonly product: Product;
  readonly request: InitiateRequest;
  readonly idempotencyKey: IdempotencyKey | null;
  readonly cameBy: SignedRequest;
}

/** The operation of its Idempotency-Keys. */
export const INITIATE_OPERATION = 'journey/initiate';

/** Writes a new journey with its lead, event, consent, and questions or link, in one transaction. */
@Injectable()
export class JourneyStarts {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly applicants: ApplicantFiles,
    private readonly leads: LeadWriter,
    private readonly consents: ConsentLog,
    private readonly offerRequests: OfferRequests,
    private readonly hostedLinks: HostedLinks,
    private readonly mover: JourneyMover,
    private readonly idempotency: Idempotency,
    private readonly settings: ServiceSettings,
    private readonly ids: IdGenerator,
    private readonly random: RandomSource,
    private readonly clock: Clock,
  ) {}

  /** @throws Fault those of `Idempotency.once` */
  start(start: JourneyStart): Promise<IdempotentResult<StartedJourney>> {
    const { key, idempotencyKey } = start;
    const call = { partnerId: key.partnerId, operation: INITIATE_OPERATION, idempotencyKey };
    return this.database.plannedTransaction((tx) =>
      this.idempotency.once(tx, call, () => this.write(tx, start)),
    );
  }

  private async write(tx: Tx, start: JourneyStart): Promise<StartedJourney> {
    const session = start.request.channel === 'API_HEADLESS' ? this.random.token() : null;
    const draft = await this.draft(start, session);
    await this.leads.open(tx, this.leadOf(draft));
    const journey = await this.journeys.insert(tx, draft);
    await this.mover.begin(tx, journey);
    const consent = await this.attest(tx, journey, start);
    return {
      journeyId: journey.id,
      applicationId: journey.applicationId,
      nextAction: nextActionOf(journey),
      ...(await this.open(tx, journey, consent, session)),
    };
  }

  private attest(tx: Tx, journey: Journey, start: JourneyStart): Promise<AttestedConsent> {
    return this.consents.attest(tx, {
      partnerId: journey.partnerId,
      subjectId: journey.id,
      productCode: journey.productCode,
      consent: start.request.consent,
      isForLenders: journey.channel === 'API_HEADLESS',
      cameAt: journey.createdAt,
      cameBy: start.cameBy,
    });
  }

  /** No lender learns of a hosted journey before the applicant's consent. */
  private async open(
    tx: Tx,
    journey: Journey,
    consent: AttestedConsent,
    session: string | null,
  ): Promise<Pick<StartedJourney, 'journeySession' | 'hostedUrl'>> {
    if (session === null) return { hostedUrl: await this.hostedLinks.issue(tx, journey) };
    await this.offerRequests.askOfNew(tx, journey, consent);
    return { journeySession: session };
  }

  private async draft(
    { key, product, request }: JourneyStart,
    session: string | null,
  ): Promise<NewJourney> {
    const { applicant, gold, channel } = request;
    const id = this.ids.next('jrn');
    const { lenderDeadlineSeconds, lenderGiveUpSeconds } = await this.settings.operating();
    return {
      id,
      partnerId: key.partnerId,
      keyId: key.id,
      applicationId: this.ids.next('app'),
      productCode: product.code,
      channel,
      state: START.to,
      steps: product.steps,
      ...amountOf(request, product),
      sessionHash: session === null ? null : sha256(session),
      eventSequence: 1,
      ...this.applicants.seal(id, { applicant, ...(gold && { gold }) }),
      ...(session !== null && {
        offersDueIn: lenderDeadlineSeconds,
        offersGivenUpIn: lenderGiveUpSeconds,
      }),
    };
  }

  private leadOf(journey: NewJourney) {
    return {
      id: journey.applicationId,
      partnerId: journey.partnerId,
      loanType: journey.productCode,
      loanAmount: journey.loanAmount,
      loanAmountSource: journey.loanAmountSource,
      status: journey.state,
      journeyId: journey.id,
      submittedAt: this.clock.now(),
    };
  }
}

function amountOf({ loanAmount }: InitiateRequest, { defaultAmount }: Product) {
  return loanAmount === undefined
    ? ({ loanAmount: defaultAmount, loanAmountSource: 'DEFAULT' } as const)
    : ({ loanAmount: rupeesToPaise(loanAmount), loanAmountSource: 'PARTNER' } as const);
}
