import type { OfferedLoanView } from '../../instant-loans/index.js';
import {
  formatDateTime,
  formatRupees,
  type Language,
  type ScreenModel,
  translate,
} from '../../platform/index.js';
import type { InstantFold } from './loan-folds.js';
import type { Moment } from './refund-cards.js';

export interface Status {
  readonly template?: string;
  readonly heading: string;
  readonly lead: string;
  readonly moments: readonly Moment[];
  readonly folds: readonly InstantFold[];
  readonly model: ScreenModel;
}

export function paidMoment({ fee, paidAt }: OfferedLoanView, language: Language): Moment {
  return {
    text: translate(language, 'instant.waiting.paid', { amount: formatRupees(fee) }),
    ...(paidAt && { note: formatDateTime(language, paidAt) }),
    isDone: true,
  };
}
