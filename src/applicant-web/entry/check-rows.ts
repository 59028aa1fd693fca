import type { HostedApplicant, HostedJourneyView } from '../../journeys/index.js';
import { formatDate, formatRupees, type Language, translate } from '../../platform/index.js';
import { inLanguage } from '../../settings/index.js';
import { EMPLOYMENT_LABELS, GENDER_LABELS } from './detail-forms.js';
import { AMOUNT, detailPath } from './current-screen.js';

/** A row of the summary; without a link what stands there cannot be changed here. */
export interface CheckRow {
  readonly labelKey: string;
  readonly value: string;
  readonly note?: string;
  readonly changeHref?: string;
}

/** What the lenders will be told of the loan. */
export function loanRows(view: HostedJourneyView, language: Language): CheckRow[] {
  const gold = view.applicant?.gold;
  return [
    {
      labelKey: 'entry.check.loan',
      value: inLanguage(view.productTexts, language, view.productName),
    },
    {
      labelKey: 'common.offer.amount',
      value: formatRupees(view.loanAmount),
      changeHref: AMOUNT,
    },
    ...(gold
      ? [
          { labelKey: 'entry.check.jewellery', value: gold.jewelleryList.join(', ') },
          {
            labelKey: 'entry.check.gold',
            value: translate(language, 'entry.check.grams', { grams: gold.grams }),
          },
        ]
      : []),
  ];
}

/** What the lenders will be told of the applicant; by mobile, PAN and birth date they know a person. */
export function applicantRows(applicant: HostedApplicant, language: Language): CheckRow[] {
  const { gender, employmentType, dob } = applicant;
  const word = (key: string | null) => (key === null ? '' : translate(language, key));
  return [
    row('entry.check.name', applicant.fullName ?? '', 'name'),
    { labelKey: 'entry.check.mobile', value: applicant.maskedMobile },
    { labelKey: 'entry.check.pan', value: applicant.maskedPan },
    { labelKey: 'entry.check.dob', value: dob === null ? '' : formatDate(language, dob) },
    row('entry.check.gender', word(gender && GENDER_LABELS[gender]), 'gender'),
    row(
      'entry.check.employment',
      word(employmentType && EMPLOYMENT_LABELS[employmentType]),
      'employment',
    ),
    row('entry.check.income', incomeOf(applicant, language), 'income'),
    row('entry.check.pinCode', applicant.pinCode ?? '', 'pin-code'),
  ];
}

function row(labelKey: string, value: string, detail: Parameters<typeof detailPath>[0]): CheckRow {
  return { labelKey, value, changeHref: detailPath(detail) };
}

function incomeOf({ monthlyIncome, annualIncome }: HostedApplicant, language: Language): string {
  if (monthlyIncome !== null) {
    return translate(language, 'entry.check.aMonth', { amount: formatRupees(monthlyIncome) });
  }
  if (annualIncome === null) return '';
  return translate(language, 'entry.check.aYear', { amount: formatRupees(annualIncome) });
}
