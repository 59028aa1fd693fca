import type { Tx } from '../platform/index.js';

/** Which loan, and whose: a journey or an instant loan. */
export interface LoanKey {
  readonly partnerId: string;
  readonly id: string;
}

/** The loans of one applicant, by what their tables can be searched by. */
export interface LoanSearch {
  readonly by: 'journeyId' | 'applicationId' | 'mobileHash' | 'panHash';
  readonly values: readonly string[];
}

/** Why the personal data of a loan cannot be erased now. */
export interface ErasureObstacle {
  readonly id: string;
  readonly state: string;
  readonly reason: 'IN_PROGRESS' | 'ACTION_IN_FLIGHT' | 'MONEY_ON_ITS_WAY';
}

/** A module that keeps personal data of applicants; it registers with `PersonalDataRegistry`. */
export interface PersonalDataHolder<Loan extends LoanKey = LoanKey> {
  /** Holders are asked in this order, its own number each: locks are taken in one order. */
  readonly order: number;
  /** As `table.column`: where nothing of an applicant is left after `erase`. */
  readonly personalColumns: readonly string[];
  /**
   * Erases what is kept of a loan's applicant. The loan is locked and over; what somebody else
   * holds of it is waited for.
   * @returns how many records had anything to erase
   */
  erase(tx: Tx, loan: Loan): Promise<number>;
}

/** One that keeps the loans themselves: all other personal data belongs to one of them. */
export interface LoanHolder<Loan extends LoanKey = LoanKey> extends PersonalDataHolder<Loan> {
  /** In the order of their ids, of every partner. */
  find(tx: Tx, search: LoanSearch): Promise<LoanKey[]>;
  /** Holds a loan against every other change until the transaction ends. */
  lock(tx: Tx, key: LoanKey): Promise<Loan | null>;
  /** @param isForced whether a loan that is in progress is to be ended first */
  obstacle(tx: Tx, loan: Loan, isForced: boolean): Promise<ErasureObstacle | null>;
  /** Ends a loan as if its applicant had left; one that is over stays as it is. */
  end(tx: Tx, loan: Loan): Promise<Loan>;
  /** Notes the erasure in the loan's audit. */
  recordErasure(tx: Tx, loan: Loan): Promise<void>;
}
