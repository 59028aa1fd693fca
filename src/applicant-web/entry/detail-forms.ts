import type { Request } from 'express';
import {
  EmploymentTypeField,
  FullNameField,
  GenderField,
  PinCodeField,
} from '../../applicants/index.js';
import type {
  DetailChanges,
  DetailName,
  EmploymentType,
  Gender,
  HostedApplicant,
} from '../../journeys/index.js';
import { paiseToRupees } from '../../loans/index.js';
import {
  type Entered,
  enteredIn,
  type FormError,
  FormField,
  readForm,
  RupeesField,
} from '../../platform/index.js';

class NameForm {
  @FullNameField()
  @FormField({ missing: 'entry.name.missing', wrong: 'entry.name.wrong' })
  fullName: string;
}

class GenderForm {
  @GenderField()
  @FormField({ wrong: 'entry.gender.missing' })
  gender: Gender;
}

class EmploymentForm {
  @EmploymentTypeField()
  @FormField({ wrong: 'entry.employment.missing' })
  employmentType: EmploymentType;
}

class IncomeForm {
  // Partners may give the yearly income instead; the applicant may not.
  @RupeesField()
  @FormField({ as: 'rupees', missing: 'entry.income.missing', wrong: 'entry.amount.wrong' })
  monthlyIncome: number;
}

class PinCodeForm {
  @PinCodeField()
  @FormField({ as: 'digits', wrong: 'entry.pinCode.wrong' })
  pinCode: string;
}

/** As `ui/field` and `ui/picks` draw it. */
interface FieldModel {
  readonly name: keyof DetailChanges;
  readonly labelKey: string;
  readonly hintKey?: string;
  readonly options?: readonly { readonly value: string; readonly labelKey: string }[];
  readonly inputmode?: string;
  readonly autocomplete?: string;
  readonly autocapitalize?: string;
  readonly maxlength?: string;
  readonly isMoney?: boolean;
  readonly isShort?: boolean;
}

interface DetailField extends FieldModel {
  readonly form: new () => DetailChanges;
  readonly known: (applicant: HostedApplicant) => string;
}

export const GENDER_LABELS: Readonly<Record<Gender, string>> = {
  FEMALE: 'entry.gender.female',
  MALE: 'entry.gender.male',
  OTHER: 'entry.gender.other',
};

export const EMPLOYMENT_LABELS: Readonly<Record<EmploymentType, string>> = {
  salaried: 'entry.employment.salaried',
  selfEmployed: 'entry.employment.selfEmployed',
};

export const DETAIL_FIELDS: Readonly<Record<DetailName, DetailField>> = {
  name: {
    form: NameForm,
    name: 'fullName',
    labelKey: 'entry.name',
    hintKey: 'entry.name.hint',
    autocomplete: 'name',
    autocapitalize: 'words',
    known: ({ fullName }) => fullName ?? '',
  },
  gender: {
    form: GenderForm,
    name: 'gender',
    labelKey: 'entry.gender',
    options: optionsOf(GENDER_LABELS),
    known: ({ gender }) => gender ?? '',
  },
  employment: {
    form: EmploymentForm,
    name: 'employmentType',
    labelKey: 'entry.employment',
    options: optionsOf(EMPLOYMENT_LABELS),
    known: ({ employmentType }) => employmentType ?? '',
  },
  income: {
    form: IncomeForm,
    name: 'monthlyIncome',
    labelKey: 'entry.income',
    hintKey: 'entry.income.hint',
    inputmode: 'decimal',
    autocomplete: 'off',
    isMoney: true,
    isShort: true,
    known: ({ monthlyIncome }) =>
      monthlyIncome === null ? '' : paiseToRupees(monthlyIncome).toLocaleString('en-IN'),
  },
  'pin-code': {
    form: PinCodeForm,
    name: 'pinCode',
    labelKey: 'entry.pinCode',
    inputmode: 'numeric',
    autocomplete: 'postal-code',
    maxlength: '12',
    isShort: true,
    known: ({ pinCode }) => pinCode ?? '',
  },
};

export function detailFields(
  names: readonly DetailName[],
  applicant: HostedApplicant | null,
): (FieldModel & { readonly value: string })[] {
  return names.map((name) => {
    const { form: _, known, ...field } = DETAIL_FIELDS[name];
    return { ...field, value: applicant ? known(applicant) : '' };
  });
}

/** An unchanged detail is not submitted, so that a yearly income stays yearly. */
export function readDetails(
  request: Request,
  names: readonly DetailName[],
  missing: readonly DetailName[],
  applicant: HostedApplicant | null,
): { changes: DetailChanges; errors: readonly FormError[]; entered: Entered } {
  const entered = enteredIn(request);
  const errors: FormError[] = [];
  const changes: DetailChanges = {};
  for (const name of names) {
    const { form: shape, name: field, known } = DETAIL_FIELDS[name];
    const isKnown = applicant !== null && !missing.includes(name);
    if (isKnown && (entered[field] ?? known(applicant)) === known(applicant)) continue;
    const form = readForm(request, shape);
    if (form.isValid) Object.assign(changes, form.value);
    else errors.push(...form.errors);
  }
  return { changes, errors, entered };
}

function optionsOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, labelKey]) => ({ value, labelKey }));
}
