import { Injectable } from '@nestjs/common';
import type { PartnerKey } from '../../auth/index.js';
import { ConsentLog, type PartnerConsent, type SignedRequest } from '../../consents/index.js';
import { FEE } from '../../journey-steps/index.js';
import {
  ApplicantFiles,
  type InstantLeadStatus,
  type Journey,
  JourneyMover,
  JourneysRepository,
  OfferRequests,
} from '../../journeys/index.js';
import { LeadWriter, type LoanAmountSource } from '../../leads/index.js';
import type { LenderApplicant } from '../../lenders/index.js';
import type { Paise } from '../../loans/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import { Clock, IdGenerator, type Language, Tx } from '../../platform/index.js';
import { type Product, ServiceSettings } from '../../settings/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';

export interface WellFormedApplication {
  readonly product: Product;
  readonly loanAmount: Paise;
  readonly loanAmountSource: LoanAmountSource;
  readonly applicant: LenderApplicant;
  readonly consent: PartnerConsent;
  readonly cameBy: SignedRequest;
  readonly smsLanguage: Language;
}

export interface WrittenApplication {
  readonly id: string;
  readonly journeyId: string;
  readonly redirectUrl: string;
  readonly smsId: string;
}

/**
 * Writes the lead, the journey, the lenders' questions and the SMS. Calls to the outside happen after
 * the commit.
 */
@Injectable()
export class NewApplications {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly journeys: JourneysRepository,
    private readonly applicants: ApplicantFiles,
    private readonly mover: JourneyMover,
    private readonly leads: LeadWriter,
    private readonly consents: ConsentLog,
    private readonly offerRequests: OfferRequests,
    private readonly sms: SmsOutbox,
    private readonly settings: ServiceSettings,
    private readonly links: InstantLoanLinks,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  async write(
    tx: Tx,
    key: PartnerKey,
    application: WellFormedApplication,
  ): Promise<WrittenApplication> {
    const { product, consent, cameBy } = application;
    const journey = await this.begin(tx, key, application);
    const { id: journeyId, applicationId: id, partnerId, createdAt: cameAt } = journey;
    const given = { partnerId, subjectId: journeyId, productCode: product.code, consent, cameBy };
    const [attested] = await this.consents.attestAll(tx, [
      { ...given, isForLenders: true, cameAt },
    ]);
    await this.offerRequests.askOfNew(tx, [journey], new Map([[journeyId, attested]]));
    const smsId = await this.sendLink(tx, journey, application);
    await this.loans.insert(tx, { id, partnerId, journeyId, smsId });
    return { id, journeyId, redirectUrl: this.links.payLink(id), smsId };
  }

  private async begin(
    tx: Tx,
    { id: keyId, partnerId }: PartnerKey,
    { product, loanAmount, loanAmountSource, applicant }: WellFormedApplication,
  ): Promise<Journey> {
    const id = this.ids.next('jrn');
    const applicationId = this.ids.next('app');
    const { lenderDeadlineSeconds, lenderGiveUpSeconds } = await this.settings.operating();
    const amount = { loanAmount, loanAmountSource };
    await this.leads.open(tx, {
      id: applicationId,
      partnerId,
      journeyId: id,
      loanType: product.code,
      ...amount,
      status: 'PAYMENT_PENDING' satisfies InstantLeadStatus,
      submittedAt: this.clock.now(),
    });
    const [journey] = await this.journeys.insertAll(tx, [
      {
        id,
        partnerId,
        keyId,
        applicationId,
        productCode: product.code,
        channel: 'API_HOSTED',
        state: 'INITIATED',
        steps: product.steps,
        ...amount,
        ...this.applicants.seal(id, { applicant }),
        offersDueIn: lenderDeadlineSeconds,
        offersGivenUpIn: lenderGiveUpSeconds,
      },
    ]);
    await this.mover.begin(tx, [journey]);
    return journey;
  }

  /** The fee is not known before an offer. */
  private async sendLink(
    tx: Tx,
    { id: subjectId, partnerId, applicationId }: Journey,
    { applicant, smsLanguage }: WellFormedApplication,
  ): Promise<string> {
    const { mobile, pan } = applicant;
    const put = await this.sms.put(tx, {
      partnerId,
      subjectId,
      kind: 'APPLICATION_LINK',
      language: smsLanguage,
      applicant: { mobile, pan },
      values: { link: this.links.payLink(applicationId) },
      validForSeconds: FEE.payHours * 3_600,
    });
    return put.id;
  }
}
