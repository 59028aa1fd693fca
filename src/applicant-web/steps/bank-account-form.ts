import {
  ChoiceField,
  type Entered,
  type FormError,
  FormField,
  PatternField,
  Rule,
  TextField,
} from '../../platform/index.js';

/** The account as it is typed; its number twice, since nobody gets a wrong transfer back. */
export class BankAccountForm {
  @TextField()
  @FormField({ missing: 'steps.account.holder.missing', wrong: 'steps.account.holder.wrong' })
  accHolderName: string;

  @ChoiceField(['SAVINGS', 'CURRENT'])
  @FormField({ missing: 'steps.account.type.missing', wrong: 'steps.account.type.missing' })
  acctype: string;

  @PatternField(/^\d{9,18}$/, 'steps.account.number.wrong')
  @FormField({
    as: 'digits',
    missing: 'steps.account.number.missing',
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
    missing: 'steps.account.again.missing',
    wrong: 'steps.account.again.wrong',
  })
  accNoAgain: string;

  @PatternField(/^[A-Z]{4}0[A-Z0-9]{6}$/, 'steps.account.ifsc.wrong')
  @FormField({
    as: 'capitals',
    missing: 'steps.account.ifsc.missing',
    wrong: 'steps.account.ifsc.wrong',
  })
  ifscCode: string;
}

/**
 * What is shown again beside a mistake: all but the repeated number, which is worth nothing unless
 * it is typed again.
 */
export function typedBefore(entered: Entered): Entered {
  return { ...entered, accNoAgain: '' };
}

/** The lender cannot pay to this account. */
export function refusedAccount(triesLeft: number): FormError {
  return { field: 'accNo', messageKey: 'steps.account.refused', values: { count: triesLeft } };
}
