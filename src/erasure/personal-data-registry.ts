import { Injectable } from '@nestjs/common';
import type { LoanHolder, PersonalDataHolder } from './personal-data.js';

/** All who keep personal data of applicants. A holder registers when it is made. */
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

  /** Those that keep the loans themselves. */
  get loanHolders(): readonly LoanHolder[] {
    return this.ofLoans.toSorted(inOrder);
  }

  /** Those that keep something about loans of others. */
  get recordHolders(): readonly PersonalDataHolder[] {
    return this.ofRecords.toSorted(inOrder);
  }
}

function inOrder(one: PersonalDataHolder, other: PersonalDataHolder): number {
  return one.order - other.order;
}
