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
import { FormField, RupeesField } from '../../platform/index.js';

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
  // Partners may leave this one out when they give the other; whoever is asked may not.
  @RupeesField()
  @FormField({ as: 'rupees', missing: 'entry.income.missing', wrong: 'entry.income.wrong' })
  monthlyIncome: number;
}

class PinCodeForm {
  @PinCodeField()
  @FormField({ as: 'digits', missing: 'entry.pinCode.missing', wrong: 'entry.pinCode.wrong' })
  pinCode: string;
}

/** The page of one detail. */
export interface DetailPage {
  readonly form: new () => DetailChanges;
  readonly template: string;
  readonly titleKey: string;
  /** What is known already, as the page's field shows it. */
  readonly known: (applicant: HostedApplicant) => string;
  readonly options?: readonly { readonly value: string; readonly labelKey: string }[];
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

export const DETAIL_PAGES: Readonly<Record<DetailName, DetailPage>> = {
  name: {
    form: NameForm,
    template: 'hosted/entry/detail-name',
    titleKey: 'entry.name.title',
    known: ({ fullName }) => fullName ?? '',
  },
  gender: {
    form: GenderForm,
    template: 'hosted/entry/detail-gender',
    titleKey: 'entry.gender.title',
    known: ({ gender }) => gender ?? '',
    options: optionsOf(GENDER_LABELS),
  },
  employment: {
    form: EmploymentForm,
    template: 'hosted/entry/detail-employment',
    titleKey: 'entry.employment.title',
    known: ({ employmentType }) => employmentType ?? '',
    options: optionsOf(EMPLOYMENT_LABELS),
  },
  income: {
    form: IncomeForm,
    template: 'hosted/entry/detail-income',
    titleKey: 'entry.income.title',
    known: ({ monthlyIncome }) =>
      monthlyIncome === null ? '' : String(paiseToRupees(monthlyIncome)),
  },
  'pin-code': {
    form: PinCodeForm,
    template: 'hosted/entry/detail-pin-code',
    titleKey: 'entry.pinCode.title',
    known: ({ pinCode }) => pinCode ?? '',
  },
};

function optionsOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, labelKey]) => ({ value, labelKey }));
}
