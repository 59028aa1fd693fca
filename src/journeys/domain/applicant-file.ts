import { Injectable } from '@nestjs/common';
import { Keyring } from '../../platform/index.js';
import type { BankAccount, LenderApplicant, QuestionPayload } from '../../lenders/index.js';
import { totalPayable } from '../../loans/index.js';
import type { DetailName } from './detail-name.js';
import type { Selection } from './journey.js';
import type { Journey } from '../store/journey.entity.js';

const APPLICANT_PURPOSE = 'journeys.applicant';
const ACCOUNT_PURPOSE = 'journeys.bank_account';
const MARK_PURPOSE = 'journeys.bank_account.mark';
const MARK_CHARACTERS = 32;

/** What the partner, and on the hosted screens the applicant, told us; kept sealed. */
export interface ApplicantFile {
  readonly applicant: LenderApplicant;
  readonly gold?: { readonly grams: string; readonly jewelleryList: readonly string[] };
  /** The details that the partner left for the applicant to tell. */
  readonly asked?: readonly DetailName[];
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

  /** Tells an account from another one, and nothing of either. */
  accountMark({ accHolderName, acctype, accNo, ifscCode }: BankAccount): string {
    const text = JSON.stringify([accHolderName, acctype, accNo, ifscCode]);
    return this.keyring.lookupHash(text, MARK_PURPOSE).slice(0, MARK_CHARACTERS);
  }

  /** What is known of the applicant; null when it has been erased. */
  open(journey: Journey): ApplicantFile | null {
    if (!journey.applicantSealed) return null;
    return JSON.parse(
      this.keyring.open(journey.applicantSealed, `${APPLICANT_PURPOSE}:${journey.id}`),
    ) as ApplicantFile;
  }

  /** The account that was accepted; null when there is none, or it has been erased. */
  openAccount(journey: Journey): BankAccount | null {
    const { id, bankAccountSealed } = journey;
    return bankAccountSealed === null ? null : this.account(id, bankAccountSealed);
  }

  /** What a lender is told with every question about this journey. */
  payload(journey: Journey, more: Partial<QuestionPayload> = {}): QuestionPayload {
    const file = this.open(journey);
    if (!file) throw new Error('the personal data of this journey is erased');
    return {
      ...factsOf(journey),
      ...(journey.selection && amountsOf(journey.selection)),
      applicant: file.applicant,
      ...(file.gold && { gold: file.gold }),
      ...(journey.bankAccountSealed && {
        bankAccount: this.account(journey.id, journey.bankAccountSealed),
      }),
      ...(journey.selectedBranchId && {
        branchReference: journey.selection?.branchReference ?? journey.selectedBranchId,
      }),
      ...more,
    };
  }

  private account(journeyId: string, sealed: string): BankAccount {
    return JSON.parse(this.keyring.open(sealed, `${ACCOUNT_PURPOSE}:${journeyId}`)) as BankAccount;
  }
}

/** What is paid out, and what is paid back in all. */
function amountsOf({ loanAmount, netDisbursed, ...figures }: Selection) {
  return { netDisbursed, totalPayable: totalPayable({ ...figures, principal: loanAmount }) };
}

/** Which application it is, and what its lender calls it. */
function factsOf({ applicationId, productCode, loanAmount, selection }: Journey) {
  return {
    subjectKind: 'JOURNEY',
    applicationId,
    productCode,
    loanAmount: selection?.loanAmount ?? loanAmount,
    ...(selection && { applicationReference: selection.applicationReference }),
  } as const;
}
