import { Injectable } from '@nestjs/common';
import { Keyring } from '../platform/index.js';
import type { BankAccount, LenderApplicant, QuestionPayload } from '../lenders/index.js';
import type { Journey } from './journey.js';

const APPLICANT_PURPOSE = 'journeys.applicant';
const ACCOUNT_PURPOSE = 'journeys.bank_account';

/** What the partner told us of the applicant; kept sealed. */
export interface ApplicantFile {
  readonly applicant: LenderApplicant;
  readonly gold?: { readonly grams: string; readonly jewelleryList: readonly string[] };
}

/** Seals and opens the personal data of a journey, and makes the hashes it is found by. */
@Injectable()
export class ApplicantFiles {
  constructor(private readonly keyring: Keyring) {}

  /** Sealed for this journey alone: moved to another row it does not open. */
  seal(
    journeyId: string,
    file: ApplicantFile,
  ): { applicantSealed: string; mobileHash: string; panHash: string } {
    return {
      applicantSealed: this.keyring.seal(JSON.stringify(file), `${APPLICANT_PURPOSE}:${journeyId}`),
      mobileHash: this.keyring.lookupHash(file.applicant.mobile, 'mobile'),
      panHash: this.keyring.lookupHash(file.applicant.pan, 'pan'),
    };
  }

  sealAccount(journey: Journey, account: BankAccount): string {
    return this.keyring.seal(JSON.stringify(account), `${ACCOUNT_PURPOSE}:${journey.id}`);
  }

  /** What a lender is told with every question about this journey. */
  payload(journey: Journey, more: Partial<QuestionPayload> = {}): QuestionPayload {
    if (!journey.applicantSealed) throw new Error('the personal data of this journey is erased');
    const file = JSON.parse(
      this.keyring.open(journey.applicantSealed, `${APPLICANT_PURPOSE}:${journey.id}`),
    ) as ApplicantFile;
    return {
      productCode: journey.productCode,
      loanAmount: journey.selection?.loanAmount ?? journey.loanAmount,
      ...(journey.selection && { netDisbursed: journey.selection.netDisbursed }),
      applicant: file.applicant,
      ...(file.gold && { gold: file.gold }),
      ...(journey.bankAccountSealed && {
        bankAccount: this.account(journey.id, journey.bankAccountSealed),
      }),
      ...more,
    };
  }

  private account(journeyId: string, sealed: string): BankAccount {
    return JSON.parse(this.keyring.open(sealed, `${ACCOUNT_PURPOSE}:${journeyId}`)) as BankAccount;
  }
}
