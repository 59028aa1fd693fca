import { Injectable } from '@nestjs/common';
import { PaymentOrders } from '../../payments/index.js';
import type { Tx } from '../../platform/index.js';
import { LenderCatalogue, ProductCatalogue } from '../../settings/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { InstantApplicants, nameOf } from '../progress/instant-applicants.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { InstantLenders } from './instant-lenders.js';
import type { ChosenInstantLoan } from '../store/instant-loan.entity.js';

@Injectable()
export class FeeOrders {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly payments: PaymentOrders,
    private readonly lenders: InstantLenders,
    private readonly products: ProductCatalogue,
    private readonly catalogue: LenderCatalogue,
    private readonly applicants: InstantApplicants,
    private readonly links: InstantLoanLinks,
    private readonly audit: InstantLoanAudit,
  ) {}

  /** Whether the lender is enabled and has an account; an existing order may always be paid. */
  async mayOrder(loan: ChosenInstantLoan): Promise<boolean> {
    if (loan.paymentOrderId !== null) return true;
    return (await this.lenders.payable([loan])).length > 0;
  }

  /**
   * @param loan locked, unpaid
   * @returns the same order every time; a new one after a failed try
   */
  async orderOf(tx: Tx, loan: ChosenInstantLoan): Promise<string> {
    if (loan.paymentOrderId === null) return this.first(tx, loan);
    if (loan.status === 'PAYMENT_PENDING') return loan.paymentOrderId;
    return this.again(tx, loan, loan.paymentOrderId);
  }

  private async first(tx: Tx, loan: ChosenInstantLoan): Promise<string> {
    const { id, partnerId, fee, lenderCode, expiresAt, status } = loan;
    const product = await this.products.find(INSTANT_PRODUCT);
    const lender = await this.catalogue.find(lenderCode);
    const applicant = this.applicants.open(loan);
    const { mobile, pan } = applicant;
    const payeeName = lender?.name ?? lenderCode;
    const orderId = await this.payments.order(tx, {
      partnerId,
      subjectId: id,
      amount: fee,
      payee: lenderCode,
      // English: Razorpay refuses a link for a Devanagari name, and documents nothing about
      // descriptions.
      description: `Fee to ${payeeName}: ${product?.displayName ?? INSTANT_PRODUCT}`,
      payeeName,
      applicant: { mobile, pan, name: nameOf(applicant) },
      expiresAt,
      returnUrl: this.links.returnLink(id),
    });
    await this.loans.change(tx, loan, status, { paymentOrderId: orderId });
    await this.audit.record(tx, loan, 'ORDERED', status, { orderId, lenderCode, amount: fee });
    return orderId;
  }

  private async again(tx: Tx, loan: ChosenInstantLoan, insteadOf: string): Promise<string> {
    const orderId = await this.payments.retry(tx, insteadOf);
    await this.loans.change(tx, loan, loan.status, { paymentOrderId: orderId, isRetrying: true });
    if (orderId === insteadOf) return orderId;
    await this.audit.record(tx, loan, 'ORDERED_AGAIN', loan.status, { orderId, insteadOf });
    return orderId;
  }
}
