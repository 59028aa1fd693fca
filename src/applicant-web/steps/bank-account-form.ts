import type { Request } from 'express';
import {
  ChoiceField,
  type Entered,
  type FormError,
  FormField,
  NameField,
  PatternField,
  readForm,
  Rule,
} from '../../platform/index.js';
import { type BankBranch, bankBranch, IFSC } from './bank-branch.js';

/** The number is typed twice: a wrong transfer does not come back. */
export class BankAccountForm {
  @NameField()
  @FormField({ missing: 'steps.account.holder.missing', wrong: 'steps.account.holder.missing' })
  accHolderName: string;

  @ChoiceField(['SAVINGS', 'CURRENT'])
  @FormField({ missing: 'steps.account.type.missing', wrong: 'steps.account.type.missing' })
  acctype: string;

  @PatternField(/^\d{9,18}$/, 'steps.account.number.wrong')
  @FormField({
    as: 'digits',
    missing: 'steps.account.number.wrong',
    wrong: 'steps.account.number.wrong',
  })
  accNo: string;

  @Rule(
    'repeated',
    (again, form) => again !== '' && again === (form as BankAccountForm).accNo,
    'steps.account.again.wrong',
  )
  @FormField({
    as: 'digits',
    missing: 'steps.account.again.wrong',
    wrong: 'steps.account.again.wrong',
  })
  accNoAgain: string;

  @PatternField(IFSC, 'steps.account.ifsc.wrong')
  @FormField({
    as: 'capitals',
    missing: 'steps.account.ifsc.wrong',
    wrong: 'steps.account.ifsc.wrong',
  })
  ifscCode: string;
}

/** The repeated number must be typed again. */
export function typedBefore(entered: Entered): Entered {
  return { ...entered, accNoAgain: '' };
}

class BranchForm {
  @PatternField(IFSC, 'steps.account.ifsc.wrong')
  @FormField({
    as: 'capitals',
    missing: 'steps.account.ifsc.wrong',
    wrong: 'steps.account.ifsc.wrong',
  })
  ifscCode: string;
}

export async function typedBranch(request: Request): Promise<BankBranch | null> {
  const form = readForm(request, BranchForm);
  return form.isValid ? bankBranch(form.value.ifscCode) : null;
}

export function refusedAccount(triesLeft: number): FormError {
  return { field: 'accNo', messageKey: 'steps.account.refused', values: { count: triesLeft } };
}
