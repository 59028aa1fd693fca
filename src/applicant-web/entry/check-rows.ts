import type { HostedApplicant } from '../../journeys/index.js';
import { formatDate, formatRupees, type Language, translate } from '../../platform/index.js';
import { EMPLOYMENT_LABELS, GENDER_LABELS } from './detail-forms.js';

interface CheckRow {
  readonly label: string;
  readonly value: string;
}

/** `given` can be changed here, `fixed` came from the partner's app. */
export interface CheckRows {
  readonly given: readonly CheckRow[];
  readonly fixed: readonly CheckRow[];
  readonly gold?: readonly CheckRow[];
}

export function checkRows(applicant: HostedApplicant, language: Language): CheckRows {
  const { fullName, gender, employmentType, pinCode, maskedMobile, maskedPan, dob, gold } =
    applicant;
  const text = (key: string) => translate(language, key);
  const row = (key: string, value: string) => ({ label: text(key), value });
  return {
    given: [
      row('entry.check.name', fullName ?? ''),
      row('entry.gender', gender ? text(GENDER_LABELS[gender]) : ''),
      row('entry.check.employment', employmentType ? text(EMPLOYMENT_LABELS[employmentType]) : ''),
      row('entry.check.income', incomeOf(applicant, language)),
      row('entry.pinCode', pinCode ?? ''),
    ],
    fixed: [
      row('entry.check.mobile', maskedMobile),
      row('entry.check.pan', maskedPan),
      row('entry.check.dob', dob === null ? '' : formatDate(language, dob)),
    ],
    ...(gold && {
      gold: [
        row('entry.check.jewellery', gold.jewelleryList.join(', ')),
        row('entry.check.weight', translate(language, 'entry.check.grams', { grams: gold.grams })),
      ],
    }),
  };
}

function incomeOf({ monthlyIncome, annualIncome }: HostedApplicant, language: Language): string {
  if (monthlyIncome !== null) {
    return translate(language, 'entry.check.aMonth', { amount: formatRupees(monthlyIncome) });
  }
  if (annualIncome === null) return '';
  return translate(language, 'entry.check.aYear', { amount: formatRupees(annualIncome) });
}
