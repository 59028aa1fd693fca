import { Injectable } from '@nestjs/common';
import type { LoanHolder, PersonalDataHolder } from './personal-data.js';

/** Holders register when they are created. */
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
