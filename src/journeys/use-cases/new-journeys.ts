import { Injectable } from '@nestjs/common';
import type { PartnerKey } from '../../auth/index.js';
import { ConsentLog, type PartnerConsent, type SignedRequest } from '../../consents/index.js';
import { LeadWriter, type LoanAmountSource, type PartnerReference } from '../../leads/index.js';
import type { Paise } from '../../loans/index.js';
import { Clock, IdGenerator, type Tx } from '../../platform/index.js';
import type { Product } from '../../settings/index.js';
import type { ApplicantFile } from '../domain/applicant-details.js';
import { type Channel, isInstant } from '../domain/journey.js';
import { leadStatusOf } from '../domain/lead-status.js';
import { START } from '../domain/transition-table.js';
import { OfferRequests } from '../offers/offer-requests.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import { JourneyMover } from '../progress/journey-mover.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository, type NewJourney } from '../store/journeys.repository.js';

export interface JourneyDraft extends Pick<ApplicantFile, 'applicant' | 'gold'> {
  readonly key: PartnerKey;
  readonly product: Product;
  readonly channel: Channel;
  readonly loanAmount: Paise;
  readonly loanAmountSource: LoanAmountSource;
  readonly sessionHash: string | null;
  readonly consent: PartnerConsent;
  readonly reference: PartnerReference;
  readonly cameBy: SignedRequest;
}

@Injectable()
export class NewJourneys {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly applicants: ApplicantFiles,
    private readonly leads: LeadWriter,
    private readonly consents: ConsentLog,
    private readonly offerRequests: OfferRequests,
    private readonly mover: JourneyMover,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** @returns in the same order */
  async write(tx: Tx, drafts: readonly JourneyDraft[]): Promise<Journey[]> {
    const rows = await Promise.all(drafts.map((draft) => this.rowOf(draft)));
    await this.leads.openAll(
      tx,
      rows.map((row, index) => this.leadOf(row, drafts[index])),
    );
    const journeys = await this.journeys.insertAll(tx, rows);
    await this.mover.begin(tx, journeys);
    const attested = await this.consents.attestAll(
      tx,
      journeys.map((journey, index) => ({
        partnerId: journey.partnerId,
        subjectId: journey.id,
        productCode: journey.productCode,
        consent: drafts[index].consent,
        isForLenders: isAskedAtOnce(journey),
        cameAt: journey.createdAt,
        cameBy: drafts[index].cameBy,
      })),
    );
    const asked = journeys.filter(isAskedAtOnce);
    const consents = new Map(journeys.map(({ id }, index) => [id, attested[index]]));
    if (asked.length > 0) await this.offerRequests.askOfNew(tx, asked, consents);
    return journeys;
  }

  private async rowOf(draft: JourneyDraft): Promise<NewJourney> {
    const { key, product, channel, loanAmount, loanAmountSource, applicant, gold } = draft;
    const { code: productCode, steps } = product;
    const id = this.ids.next('jrn');
    const applicationId = this.ids.next('app');
    return {
      id,
      partnerId: key.partnerId,
      keyId: key.id,
      applicationId,
      referenceSealed: this.leads.sealReference(applicationId, draft.reference),
      productCode,
      channel,
      state: START.to,
      steps,
      loanAmount,
      loanAmountSource,
      sessionHash: draft.sessionHash,
      eventSequence: isInstant(product) ? 0 : 1,
      ...this.applicants.seal(id, { applicant, gold }),
      ...(isAskedAtOnce({ channel, steps }) && (await this.offerRequests.deadlines())),
    };
  }

  private leadOf(journey: NewJourney, { key, reference }: JourneyDraft) {
    return {
      id: journey.applicationId,
      partnerId: journey.partnerId,
      loanType: journey.productCode,
      loanAmount: journey.loanAmount,
      loanAmountSource: journey.loanAmountSource,
      status: leadStatusOf(journey),
      journeyId: journey.id,
      referenceSealed: journey.referenceSealed ?? null,
      clientReferenceId: reference.clientReferenceId,
      isReferenceUnique: key.uniqueClientReferences && reference.clientReferenceId !== undefined,
      submittedAt: this.clock.now(),
    };
  }
}

/** No lender learns of another hosted journey before the applicant's consent. */
function isAskedAtOnce({ channel, steps }: Pick<Journey, 'channel' | 'steps'>): boolean {
  return channel === 'API_HEADLESS' || isInstant({ steps });
}
