import { Injectable } from '@nestjs/common';
import { LenderInbox, QuestionOutbox } from '../../lenders/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import { PaymentOrders } from '../../payments/index.js';
import { Idempotency, Keyring, type Tx } from '../../platform/index.js';
import { CREATE_OPERATION } from '../use-cases/create-operation.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import { InstantLoanMover } from '../domain/instant-loan-mover.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository, type OwnedLoan } from '../store/instant-loans.repository.js';
import { isOver } from '../domain/instant-loan-status.js';

// The answer is kept in the transaction that makes the application, so moments apart at most.
const ANSWER_WITHIN_MS = 60_000;

/** Whose data: exactly one of these. */
export interface InstantLoanSubject {
  readonly applicationId?: string;
  readonly mobile?: string;
  readonly pan?: string;
}

/** Why an application's data cannot be erased now. */
export interface InstantLoanObstacle {
  readonly id: string;
  readonly state: string;
  readonly reason: 'IN_PROGRESS' | 'MONEY_ON_ITS_WAY';
}

export interface InstantLoanErasureResult {
  readonly erased: readonly string[];
  /** Of these nothing was left to erase. */
  readonly erasedBefore: readonly string[];
  /** When there is one, nothing at all was erased. */
  readonly inTheWay: readonly InstantLoanObstacle[];
}

/**
 * Erases an applicant's personal data from instant loans and keeps what the books need: the
 * application, its lead, its amounts and payments, the statement that was agreed to (which names no
 * applicant) and its audit, which tells of the erasure.
 */
@Injectable()
export class InstantLoanErasure {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly mover: InstantLoanMover,
    private readonly audit: InstantLoanAudit,
    private readonly questions: QuestionOutbox,
    private readonly inbox: LenderInbox,
    private readonly payments: PaymentOrders,
    private readonly sms: SmsOutbox,
    private readonly idempotency: Idempotency,
    private readonly keyring: Keyring,
  ) {}

  /**
   * @param isForced applications that are not paid yet end first, as if their time had run out; one
   *   that is paid and not decided never does
   */
  async erase(
    tx: Tx,
    subject: InstantLoanSubject,
    isForced: boolean,
  ): Promise<InstantLoanErasureResult> {
    const loans = await this.lockAll(tx, subject);
    const inTheWay = loans.flatMap((loan) => obstacleOf(loan, isForced) ?? []);
    if (inTheWay.length > 0) return { erased: [], erasedBefore: [], inTheWay };
    const erased: string[] = [];
    for (const loan of loans) {
      if (await this.eraseOne(tx, loan)) erased.push(loan.id);
    }
    const erasedBefore = loans.map(({ id }) => id).filter((id) => !erased.includes(id));
    return { erased, erasedBefore, inTheWay };
  }

  /** In the order of their ids, so that two erasures of one applicant wait for each other. */
  private async lockAll(tx: Tx, subject: InstantLoanSubject): Promise<InstantLoan[]> {
    const loans: InstantLoan[] = [];
    for (const { id, partnerId } of await this.find(tx, subject)) {
      const loan = await this.loans.lock(tx, partnerId, id);
      if (loan) loans.push(loan);
    }
    return loans;
  }

  /** For the administrator, who looks across partners. */
  private find(tx: Tx, { applicationId, mobile, pan }: InstantLoanSubject): Promise<OwnedLoan[]> {
    if (mobile !== undefined) {
      const hashes = this.keyring.lookupHashes(mobile.trim(), 'mobile');
      return this.loans.findOf(tx, 'mobileHash', hashes);
    }
    if (pan !== undefined) {
      const hashes = this.keyring.lookupHashes(pan.trim().toUpperCase(), 'pan');
      return this.loans.findOf(tx, 'panHash', hashes);
    }
    return this.loans.findOf(tx, 'id', [applicationId ?? '']);
  }

  private async eraseOne(tx: Tx, seen: InstantLoan): Promise<boolean> {
    const loan = (await this.mover.move(tx, seen, 'WITHDRAWN')) ?? seen;
    const { id, partnerId } = loan;
    const erased = [
      await this.loans.eraseApplicant(tx, partnerId, id),
      await this.questions.erase(tx, partnerId, id),
      await this.inbox.erase(tx, partnerId, id),
      await this.payments.erase(tx, partnerId, id),
      await this.sms.erase(tx, partnerId, id),
      await this.idempotency.forget(tx, {
        partnerId,
        operation: CREATE_OPERATION,
        at: loan.createdAt,
        withinMs: ANSWER_WITHIN_MS,
        isMeant: (answer) => 'applicationId' in answer && answer.applicationId === id,
      }),
    ];
    const isErased = erased.some((count) => count > 0);
    if (isErased) await this.audit.record(tx, loan, 'APPLICANT_ERASED', loan.status);
    return isErased;
  }
}

function obstacleOf(
  { id, status: state }: InstantLoan,
  isForced: boolean,
): InstantLoanObstacle | null {
  if (state === 'PAYMENT_RECEIVED') return { id, state, reason: 'MONEY_ON_ITS_WAY' };
  return isForced || isOver(state) ? null : { id, state, reason: 'IN_PROGRESS' };
}
