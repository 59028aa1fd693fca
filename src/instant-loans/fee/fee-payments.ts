import { Injectable } from '@nestjs/common';
import {
  ApplicantFiles,
  type Journey,
  JourneyAudit,
  type JourneyFee,
  JourneyFeesRepository,
  JourneysRepository,
  payUntil,
  type VisitedFee,
} from '../../journeys/index.js';
import type { LenderApplicant } from '../../lenders/index.js';
import {
  PaymentOrderClosed,
  PaymentOrders,
  type PaymentPage,
  PaymentsUnavailable,
} from '../../payments/index.js';
import { Clock, Database, Fault, type Tx } from '../../platform/index.js';
import { LenderCatalogue } from '../../settings/index.js';

@Injectable()
export class FeePayments {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly fees: JourneyFeesRepository,
    private readonly payments: PaymentOrders,
    private readonly lenders: LenderCatalogue,
    private readonly applicants: ApplicantFiles,
    private readonly audit: JourneyAudit,
    private readonly clock: Clock,
  ) {}

  /**
   * Orders the payment once and opens the gateway's page outside the transaction.
   * @param returnUrl where the gateway sends the browser
   * @returns null when the fee can no longer be paid
   * @throws Fault lender_unavailable when the gateway has no page now; the order is kept
   */
  async open(
    visited: VisitedFee,
    returnUrl: string,
  ): Promise<{ readonly orderId: string; readonly url: string } | null> {
    try {
      const orderId = await this.database.transaction((tx) => this.orderOf(tx, visited, returnUrl));
      if (orderId === null) return null;
      const { url } = await this.payments.open(orderId);
      await this.database.transaction((tx) => this.noteVisit(tx, visited));
      return { orderId, url };
    } catch (error) {
      if (error instanceof PaymentOrderClosed) return null;
      if (!(error instanceof PaymentsUnavailable)) throw error;
      throw new Fault('lender_unavailable', { retryAfterSeconds: 5, cause: error });
    }
  }

  /** Null when no payment is allowed now. */
  pageFor(lenderCode: string): Promise<PaymentPage | null> {
    return this.payments.pageFor(lenderCode);
  }

  /** Whether a payment page may exist. */
  async isOrdered(tx: Tx, journey: Journey): Promise<boolean> {
    const fee = await this.fees.current(tx, journey);
    return fee !== null && fee.redirectId === journey.redirectId && fee.orderId !== null;
  }

  /** Asks the gateway, since the return proves nothing; the answer comes through the inbox. */
  async returned({ partnerId, journeyId }: Omit<VisitedFee, 'redirectId'>): Promise<void> {
    const journey = await this.journeys.find(partnerId, journeyId);
    if (journey?.state !== 'FEE_PENDING' || journey.redirectId === null) return;
    const { redirectId } = journey;
    const fee = await this.database.transaction((tx) => this.fees.find(tx, partnerId, redirectId));
    if (fee?.orderId) await this.payments.askNow(fee.orderId);
  }

  /** Holds the journey's lock, so that repeated visits order once. */
  private async orderOf(
    tx: Tx,
    { partnerId, journeyId, redirectId }: VisitedFee,
    returnUrl: string,
  ): Promise<string | null> {
    const journey = await this.journeys.lock(tx, partnerId, journeyId);
    if (journey?.state !== 'FEE_PENDING' || journey.redirectId !== redirectId) return null;
    const fee = await this.fees.find(tx, partnerId, redirectId);
    if (!fee || payUntil(fee) <= this.clock.now()) return null;
    return this.currentOrder(tx, journey, fee, returnUrl);
  }

  private async noteVisit(tx: Tx, { partnerId, journeyId, redirectId }: VisitedFee): Promise<void> {
    const journey = await this.journeys.lock(tx, partnerId, journeyId);
    if (journey?.state !== 'FEE_PENDING' || journey.redirectId !== redirectId) return;
    await this.journeys.change(tx, journey, journey.state, { isReturned: true });
    await this.journeys.touch(tx, journey);
  }

  /** Returns the same order every time, or a new one after a failure where the gateway needs it. */
  private async currentOrder(
    tx: Tx,
    journey: Journey,
    fee: JourneyFee,
    returnUrl: string,
  ): Promise<string> {
    const { orderId } = fee;
    if (orderId === null) return this.firstOrder(tx, journey, fee, returnUrl);
    if (!fee.isTryFailed) return orderId;
    const again = await this.payments.retry(tx, orderId);
    await this.fees.change(tx, fee, { orderId: again, isTryFailed: false });
    if (again !== orderId) {
      const facts = { redirectId: fee.redirectId, orderId: again, insteadOf: orderId };
      await this.audit.record(tx, journey, 'FEE_ORDERED_AGAIN', facts);
    }
    return again;
  }

  private async firstOrder(
    tx: Tx,
    journey: Journey,
    { redirectId, lenderCode, amount, expiresAt }: JourneyFee,
    returnUrl: string,
  ): Promise<string> {
    const { id: subjectId, partnerId } = journey;
    const file = this.applicants.open(journey);
    if (!file) throw new Error('the personal data of this journey is erased');
    const { mobile, pan } = file.applicant;
    const payeeName = (await this.lenders.find(lenderCode))?.name ?? lenderCode;
    const orderId = await this.payments.order(tx, {
      partnerId,
      subjectId,
      amount,
      payee: lenderCode,
      // English: Razorpay refuses a link for a Devanagari name.
      description: `Fee to ${payeeName}`,
      payeeName,
      applicant: { mobile, pan, name: nameOf(file.applicant) },
      expiresAt,
      returnUrl,
    });
    await this.fees.change(tx, { redirectId }, { orderId });
    const facts = { redirectId, orderId, amount };
    await this.audit.record(tx, journey, 'FEE_ORDERED', facts);
    return orderId;
  }
}

function nameOf({ fullName, firstName, lastName }: LenderApplicant): string {
  const parts = typeof fullName === 'string' ? [fullName] : [firstName, lastName];
  return parts.filter((part) => typeof part === 'string').join(' ');
}
