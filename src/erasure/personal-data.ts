import { Injectable } from '@nestjs/common';
import type { Tx } from '../platform/index.js';

export interface LoanKey {
  readonly partnerId: string;
  readonly id: string;
}

export interface LoanSearch {
  readonly by: 'journeyId' | 'applicationId' | 'mobileHash' | 'panHash';
  readonly values: readonly string[];
}

/** Why a loan cannot be erased now. */
export interface ErasureObstacle {
  readonly id: string;
  readonly state: string;
  readonly reason: 'IN_PROGRESS' | 'ACTION_IN_FLIGHT' | 'MONEY_ON_ITS_WAY';
}

export interface PersonalDataHolder<Loan extends LoanKey = LoanKey> {
  /** Unique; locks are taken in this order. */
  readonly order: number;
  /** As `table.column`; empty after `erase`. */
  readonly personalColumns: readonly string[];
  /**
   * Erases the data of a locked, ended loan; waits for other locks.
   * @returns how many records were changed
   */
  erase(tx: Tx, loan: Loan): Promise<number>;
}

export interface LoanHolder<Loan extends LoanKey = LoanKey> extends PersonalDataHolder<Loan> {
  /** By id, for every partner. */
  find(tx: Tx, search: LoanSearch): Promise<LoanKey[]>;
  lock(tx: Tx, key: LoanKey): Promise<Loan | null>;
  /** @param isForced whether to end a loan in progress first */
  obstacle(tx: Tx, loan: Loan, isForced: boolean): Promise<ErasureObstacle | null>;
  /** Ends a loan as if its applicant had left; an ended one is unchanged. */
  end(tx: Tx, loan: Loan): Promise<Loan>;
  recordErasure(tx: Tx, loan: Loan): Promise<void>;
}

@Injectable()
export class PersonalDataRegistry {
  private readonly ofLoans: LoanHolder[] = [];
  private readonly ofRecords: PersonalDataHolder[] = [];

  registerLoans(holder: LoanHolder): void {
    this.ofLoans.push(holder);
  }

  registerRecords(holder: PersonalDataHolder): void {
    this.ofRecords.push(holder);
  }

  get loanHolders(): readonly LoanHolder[] {
    return this.ofLoans.toSorted(inOrder);
  }

  /** Holders of data about other modules' loans. */
  get recordHolders(): readonly PersonalDataHolder[] {
    return this.ofRecords.toSorted(inOrder);
  }
}

function inOrder(one: PersonalDataHolder, other: PersonalDataHolder): number {
  return one.order - other.order;
}
