import { Injectable } from '@nestjs/common';
import { Keyring } from '../../platform/index.js';
import type { BankAccount, QuestionPayload } from '../../lenders/index.js';
import { FEE } from '../../journey-steps/index.js';
import { totalPayable } from '../../loans/index.js';
import type { ApplicantFile } from '../domain/applicant-details.js';
import { type Selection, subjectKindOf } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';

const APPLICANT_PURPOSE = 'journeys.applicant';
const ACCOUNT_PURPOSE = 'journeys.bank_account';
const MARK_PURPOSE = 'journeys.bank_account.mark';
const MARK_CHARACTERS = 32;

@Injectable()
export class ApplicantFiles {
  constructor(private readonly keyring: Keyring) {}

  /** The encryption is bound to this journey's row. */
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

  /** A keyed hash: accounts can be compared without revealing them. */
  accountMark({ accHolderName, acctype, accNo, ifscCode }: BankAccount): string {
    const text = JSON.stringify([accHolderName, acctype, accNo, ifscCode]);
    return this.keyring.lookupHash(text, MARK_PURPOSE).slice(0, MARK_CHARACTERS);
  }

  /** Null after erasure. */
  open(journey: Journey): ApplicantFile | null {
    if (!journey.applicantSealed) return null;
    return JSON.parse(
      this.keyring.open(journey.applicantSealed, `${APPLICANT_PURPOSE}:${journey.id}`),
    ) as ApplicantFile;
  }

  /** Null after erasure. */
  openAccount(journey: Journey): BankAccount | null {
    const { id, bankAccountSealed } = journey;
    return bankAccountSealed === null ? null : this.account(id, bankAccountSealed);
  }

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

function amountsOf({ loanAmount, netDisbursed, ...figures }: Selection) {
  return { netDisbursed, totalPayable: totalPayable({ ...figures, principal: loanAmount }) };
}

function factsOf({ applicationId, productCode, loanAmount, selection, steps }: Journey) {
  return {
    subjectKind: subjectKindOf({ steps }),
    applicationId,
    productCode,
    loanAmount: selection?.loanAmount ?? loanAmount,
    ...(steps.includes(FEE.name) && { areChargesPaidUpFront: true as const }),
    ...(selection && { applicationReference: selection.applicationReference }),
  } as const;
}
