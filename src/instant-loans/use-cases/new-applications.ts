import { Injectable } from '@nestjs/common';
import type { PartnerKey } from '../../auth/index.js';
import { ConsentLog } from '../../consents/index.js';
import { LeadWriter } from '../../leads/index.js';
import { formatRupees } from '../../loans/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import { PaymentOrders } from '../../payments/index.js';
import { IdGenerator, Tx } from '../../platform/index.js';
import { InstantApplicants, nameOf } from '../domain/instant-applicants.js';
import { InstantKeyFacts } from './instant-key-facts.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import type { WellFormedApplication } from './well-formed-application.js';

const VALID_HOURS = 72;

/** An application that is written and will be there once the transaction is durable. */
export interface WrittenApplication {
  readonly id: string;
  readonly redirectUrl: string;
  readonly smsId: string;
}

/**
 * Writes a new application with everything that belongs to it: its lead, the Key Facts Statement as
 * it will be shown, the payment to be ordered, the SMS to be sent, the audit row. What is to be done
 * at the gateways is recorded here and done after the commit.
 */
@Injectable()
export class NewApplications {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly applicants: InstantApplicants,
    private readonly leads: LeadWriter,
    private readonly consents: ConsentLog,
    private readonly payments: PaymentOrders,
    private readonly sms: SmsOutbox,
    private readonly keyFacts: InstantKeyFacts,
    private readonly links: InstantLoanLinks,
    private readonly audit: InstantLoanAudit,
    private readonly ids: IdGenerator,
  ) {}

  async write(
    tx: Tx,
    key: PartnerKey,
    application: WellFormedApplication,
  ): Promise<WrittenApplication> {
    const { product, loanAmount, applicant, chosen, smsLanguage } = application;
    const { partnerId } = key;
    const id = this.ids.next('app');
    const { createdAt, expiresAt } = await timesOf(tx);
    const status = 'PAYMENT_PENDING';
    const lead = { id, partnerId, loanType: product.code, loanAmount, status };
    await this.leads.open(tx, { ...lead, submittedAt: createdAt });
    const { consent, cameBy } = application;
    const attested = { partnerId, subjectId: id, productCode: product.code, consent, cameBy };
    await this.consents.attestAll(tx, [{ ...attested, isForLenders: true, cameAt: createdAt }]);
    const loan = await this.loans.insert(tx, {
      id,
      partnerId,
      keyId: key.id,
      loanAmount,
      fee: chosen.quote.processingFees,
      feeOnDecline: chosen.lender.terms.feeOnDecline ?? 'REFUND',
      lenderCode: chosen.lender.code,
      comparison: chosen.comparison,
      ...(await this.keyFacts.freeze(id, product, chosen, createdAt)),
      ...this.applicants.seal(id, applicant),
      paymentOrderId: await this.orderPayment(tx, id, key, application, expiresAt),
      smsId: await this.sendLink(tx, id, key, application),
      smsLanguage,
      createdAt,
      expiresAt,
    });
    const { lenderCode, fee, feeOnDecline, keyFactsHash, paymentOrderId, smsId } = loan;
    const facts = { lenderCode, fee, feeOnDecline, keyFactsHash, paymentOrderId, smsId };
    await this.audit.record(tx, loan, 'APPLIED', null, facts);
    return { id, redirectUrl: this.links.payLink(id), smsId };
  }

  private orderPayment(
    tx: Tx,
    id: string,
    { partnerId }: PartnerKey,
    { product, applicant, chosen }: WellFormedApplication,
    expiresAt: Date,
  ): Promise<string> {
    const { mobile, pan } = applicant;
    return this.payments.order(tx, {
      partnerId,
      subjectId: id,
      amount: chosen.quote.processingFees,
      payee: chosen.lender.code,
      description: `${product.displayName}: processing fee`,
      applicant: { mobile, pan, name: nameOf(applicant) },
      expiresAt,
      returnUrl: this.links.returnLink(id),
    });
  }

  private async sendLink(
    tx: Tx,
    id: string,
    { partnerId }: PartnerKey,
    { applicant, chosen, smsLanguage }: WellFormedApplication,
  ): Promise<string> {
    const { mobile, pan } = applicant;
    const put = await this.sms.put(tx, {
      partnerId,
      subjectId: id,
      kind: 'PAYMENT_LINK',
      language: smsLanguage,
      applicant: { mobile, pan },
      values: {
        link: this.links.payLink(id),
        amount: formatRupees(chosen.quote.processingFees),
      },
      validForSeconds: VALID_HOURS * 3_600,
    });
    return put.id;
  }
}

/** Judged by the database's clock; both are handed on as they are kept, to the millisecond. */
async function timesOf(tx: Tx): Promise<{ createdAt: Date; expiresAt: Date }> {
  const [row] = await tx.query<{ createdAt: Date; expiresAt: Date }>(
    `SELECT date_trunc('milliseconds', app_now()) AS "createdAt",
       date_trunc('milliseconds', app_now()) + $1 * interval '1 hour' AS "expiresAt"`,
    [VALID_HOURS],
  );
  return row;
}
