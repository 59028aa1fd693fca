import { Injectable, Module } from '@nestjs/common';
import { Database, Keyring, type Tx } from '../platform/index.js';
import type { ErasureObstacle, LoanHolder, LoanKey, LoanSearch } from './personal-data.js';
import { PersonalDataRegistry } from './personal-data-registry.js';

/** Whose data: exactly one of these. */
export interface ErasureSubject {
  readonly journeyId?: string;
  readonly applicationId?: string;
  readonly mobile?: string;
  readonly pan?: string;
}

export interface ErasureResult {
  readonly erased: readonly string[];
  /** Of these nothing was left to erase. */
  readonly erasedBefore: readonly string[];
  /** When there is one, nothing at all was erased. */
  readonly inTheWay: readonly ErasureObstacle[];
}

/** A loan, locked, and who keeps it. */
interface LockedLoan {
  readonly holder: LoanHolder;
  readonly loan: LoanKey;
}

/**
 * Erases an applicant's personal data and keeps what the books need: journeys and instant loans,
 * their leads, offers, amounts and payments, the statements that were agreed to (which name no
 * applicant), their events and their audit, which tells of the erasure. To do it again erases what may
 * have come in since.
 */
@Injectable()
export class ApplicantErasure {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
    private readonly registry: PersonalDataRegistry,
  ) {}

  /**
   * All of it, or, where something is in the way, nothing.
   * @param isForced loans in progress are ended first, as if their applicant had left; one whose
   *   money is on its way never is
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

  /** In the order of their ids, so that two erasures of one applicant wait for each other. */
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

/** Imported by every module that keeps personal data of applicants. */
@Module({
  providers: [PersonalDataRegistry, ApplicantErasure],
  exports: [PersonalDataRegistry, ApplicantErasure],
})
export class ErasureModule {}
