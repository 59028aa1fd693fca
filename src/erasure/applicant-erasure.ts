import { Injectable, Module } from '@nestjs/common';
import { Database, Keyring, type Tx } from '../platform/index.js';
import {
  type ErasureObstacle,
  type LoanHolder,
  type LoanKey,
  type LoanSearch,
  PersonalDataRegistry,
} from './personal-data.js';

/** Exactly one of these. */
interface ErasureSubject {
  readonly journeyId?: string;
  readonly applicationId?: string;
  readonly mobile?: string;
  readonly pan?: string;
}

export interface ErasureResult {
  readonly erased: readonly string[];
  readonly erasedBefore: readonly string[];
  /** When not empty, nothing was erased. */
  readonly inTheWay: readonly ErasureObstacle[];
}

interface LockedLoan {
  readonly holder: LoanHolder;
  readonly loan: LoanKey;
}

/**
 * Keeps what the books need: loans, offers, amounts, payments, agreed statements (without the
 * applicant's name), events and audit. Running it again erases newer data.
 */
@Injectable()
export class ApplicantErasure {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
    private readonly registry: PersonalDataRegistry,
  ) {}

  /**
   * Erases nothing when there is an obstacle.
   * @param isForced ends loans in progress first, unless the money is on its way
   */
  erase(subject: ErasureSubject, isForced: boolean): Promise<ErasureResult> {
    return this.database.transaction(async (tx) => {
      const loans = await this.lockAll(tx, subject);
      const inTheWay = await obstacles(tx, loans, isForced);
      if (inTheWay.length > 0) return { erased: [], erasedBefore: [], inTheWay };
      const erased: string[] = [];
      for (const { holder, loan } of loans) {
        if (await this.eraseOne(tx, holder, loan)) erased.push(loan.id);
      }
      const erasedBefore = loans.map(({ loan }) => loan.id).filter((id) => !erased.includes(id));
      return { erased, erasedBefore, inTheWay };
    });
  }

  /** By id, so that two erasures of one applicant do not deadlock. */
  private async lockAll(tx: Tx, subject: ErasureSubject): Promise<LockedLoan[]> {
    const search = this.searchFor(subject);
    const locked: LockedLoan[] = [];
    for (const holder of this.registry.loanHolders) {
      for (const key of await holder.find(tx, search)) {
        const loan = await holder.lock(tx, key);
        if (loan) locked.push({ holder, loan });
      }
    }
    return locked;
  }

  private searchFor({ journeyId, applicationId, mobile, pan }: ErasureSubject): LoanSearch {
    if (mobile !== undefined) {
      return { by: 'mobileHash', values: this.keyring.lookupHashes(mobile.trim(), 'mobile') };
    }
    if (pan !== undefined) {
      const values = this.keyring.lookupHashes(pan.trim().toUpperCase(), 'pan');
      return { by: 'panHash', values };
    }
    if (journeyId !== undefined) return { by: 'journeyId', values: [journeyId] };
    return { by: 'applicationId', values: [applicationId ?? ''] };
  }

  private async eraseOne(tx: Tx, holder: LoanHolder, seen: LoanKey): Promise<boolean> {
    const loan = await holder.end(tx, seen);
    let count = await holder.erase(tx, loan);
    for (const other of this.registry.recordHolders) count += await other.erase(tx, loan);
    if (count > 0) await holder.recordErasure(tx, loan);
    return count > 0;
  }
}

async function obstacles(
  tx: Tx,
  loans: readonly LockedLoan[],
  isForced: boolean,
): Promise<ErasureObstacle[]> {
  const found: ErasureObstacle[] = [];
  for (const { holder, loan } of loans) {
    const obstacle = await holder.obstacle(tx, loan, isForced);
    if (obstacle) found.push(obstacle);
  }
  return found;
}

/** Imported by every module with personal data. */
@Module({
  providers: [PersonalDataRegistry, ApplicantErasure],
  exports: [PersonalDataRegistry, ApplicantErasure],
})
export class ErasureModule {}
