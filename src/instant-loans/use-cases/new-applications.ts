import { Injectable } from '@nestjs/common';
import type { PartnerKey } from '../../auth/index.js';
import { ConsentLog, type PartnerConsent, type SignedRequest } from '../../consents/index.js';
import { LeadWriter, type LoanAmountSource } from '../../leads/index.js';
import { type LenderApplicant, type LenderConsent, QuestionOutbox } from '../../lenders/index.js';
import type { Paise } from '../../loans/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import { IdGenerator, type Language, Tx } from '../../platform/index.js';
import { type Lender, type Product, ServiceSettings } from '../../settings/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { InstantApplicants } from '../progress/instant-applicants.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';
import { OFFERS_REFERENCE } from '../domain/instant-offer.js';
import { VALID_HOURS } from '../domain/pay-times.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';

/** Of its Idempotency-Keys. */
export const CREATE_OPERATION = 'instant-loans';

export interface WellFormedApplication {
  readonly product: Product;
  readonly loanAmount: Paise;
  readonly loanAmountSource: LoanAmountSource;
  readonly applicant: LenderApplicant;
  readonly consent: PartnerConsent;
  readonly cameBy: SignedRequest;
  /** At least one. */
  readonly lenders: readonly Lender[];
  readonly smsLanguage: Language;
}

export interface WrittenApplication {
  readonly id: string;
  readonly redirectUrl: string;
  readonly smsId: string;
}

/**
 * Writes the application, lead, lenders' questions, SMS and audit row. Calls to the outside happen
 * after the commit.
 */
@Injectable()
export class NewApplications {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly applicants: InstantApplicants,
    private readonly leads: LeadWriter,
    private readonly consents: ConsentLog,
    private readonly questionOutbox: QuestionOutbox,
    private readonly sms: SmsOutbox,
    private readonly settings: ServiceSettings,
    private readonly links: InstantLoanLinks,
    private readonly audit: InstantLoanAudit,
    private readonly ids: IdGenerator,
  ) {}

  async write(
    tx: Tx,
    key: PartnerKey,
    application: WellFormedApplication,
  ): Promise<WrittenApplication> {
    const { product, loanAmount, loanAmountSource, applicant, lenders, smsLanguage } = application;
    const { partnerId } = key;
    const id = this.ids.next('app');
    const { createdAt, ...deadlines } = await this.timesOf(tx);
    await this.leads.open(tx, {
      id,
      partnerId,
      loanType: product.code,
      loanAmount,
      loanAmountSource,
      status: 'PAYMENT_PENDING',
      submittedAt: createdAt,
    });
    const { consent, cameBy } = application;
    const attestation = { partnerId, subjectId: id, productCode: product.code, consent, cameBy };
    const [{ told }] = await this.consents.attestAll(tx, [
      { ...attestation, isForLenders: true, cameAt: createdAt },
    ]);
    const loan = await this.loans.insert(tx, {
      id,
      partnerId,
      keyId: key.id,
      loanAmount,
      ...this.applicants.seal(id, applicant),
      smsId: await this.sendLink(tx, id, key, application),
      smsLanguage,
      createdAt,
      ...deadlines,
    });
    await this.askLenders(tx, loan, application, told);
    const codes = lenders.map(({ code }) => code);
    const facts = { lenders: codes, smsId: loan.smsId, loanAmount };
    await this.audit.record(tx, loan, 'APPLIED', null, facts);
    return { id, redirectUrl: this.links.payLink(id), smsId: loan.smsId };
  }

  private askLenders(
    tx: Tx,
    { id, partnerId, loanAmount, offersGivenUpAt }: InstantLoan,
    { lenders, applicant }: WellFormedApplication,
    consent: LenderConsent,
  ): Promise<void> {
    return this.questionOutbox.putAll(
      tx,
      lenders.map(({ code: lenderCode }) => ({
        partnerId,
        subjectId: id,
        lenderCode,
        kind: 'INSTANT_OFFERS',
        reference: OFFERS_REFERENCE,
        payload: {
          subjectKind: 'INSTANT_LOAN',
          applicationId: id,
          productCode: INSTANT_PRODUCT,
          loanAmount,
          applicant,
          consent,
          usefulUntil: offersGivenUpAt.toISOString(),
        },
      })),
    );
  }

  /** The amount is not known before an offer. */
  private async sendLink(
    tx: Tx,
    id: string,
    { partnerId }: PartnerKey,
    { applicant, smsLanguage }: WellFormedApplication,
  ): Promise<string> {
    const { mobile, pan } = applicant;
    const put = await this.sms.put(tx, {
      partnerId,
      subjectId: id,
      kind: 'APPLICATION_LINK',
      language: smsLanguage,
      applicant: { mobile, pan },
      values: { link: this.links.payLink(id) },
      validForSeconds: VALID_HOURS * 3_600,
    });
    return put.id;
  }

  /** By the database's clock, to the millisecond as stored. */
  private async timesOf(tx: Tx): Promise<Times> {
    const { lenderDeadlineSeconds, lenderGiveUpSeconds } = await this.settings.operating();
    const [times] = await tx.query<Times>(
      `SELECT now AS "createdAt", now + $1 * interval '1 hour' AS "expiresAt",
         now + $2 * interval '1 second' AS "offersDueAt",
         now + $3 * interval '1 second' AS "offersGivenUpAt"
       FROM date_trunc('milliseconds', app_now()) AS now`,
      [VALID_HOURS, lenderDeadlineSeconds, lenderGiveUpSeconds],
    );
    return times;
  }
}

interface Times {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly offersDueAt: Date;
  readonly offersGivenUpAt: Date;
}
