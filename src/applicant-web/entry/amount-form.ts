import type { Request } from 'express';
import type { AmountQuestion } from '../../journeys/index.js';
import { type Paise, rupeesToPaise } from '../../loans/index.js';
import {
  type Entered,
  formatRupees,
  type FormError,
  FormField,
  readForm,
  RupeesField,
} from '../../platform/index.js';

export class AmountForm {
  @RupeesField()
  @FormField({ as: 'rupees', missing: 'entry.amount.missing', wrong: 'entry.amount.wrong' })
  loanAmount: number;
}

export function rangeError(least: Paise, most: Paise): FormError {
  return {
    field: 'loanAmount',
    messageKey: 'entry.amount.range',
    values: { least: formatRupees(least), most: formatRupees(most) },
  };
}

/** Returns paise, or the form's errors. */
export function readAmount(
  request: Request,
  { least, most }: AmountQuestion,
): Paise | { errors: readonly FormError[]; entered: Entered } {
  const form = readForm(request, AmountForm);
  if (!form.isValid) return { errors: form.errors, entered: form.entered };
  const amount = rupeesToPaise(form.value.loanAmount);
  if (amount >= least && amount <= most) return amount;
  return { errors: [rangeError(least, most)], entered: form.entered };
}

export function amountModel({ least, most, suggested }: AmountQuestion) {
  return {
    titleKey: 'entry.amount.title',
    least: formatRupees(least),
    most: formatRupees(most),
    // The ₹ sign is in front of the field.
    suggested: formatRupees(suggested).replace('₹', ''),
  };
}
