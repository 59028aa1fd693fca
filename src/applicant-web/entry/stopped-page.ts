import { type Language, Page } from '../../platform/index.js';
import { type LeftBehind, stoppedRows } from './left-behind.js';

/**
 * That the application is over without a loan: the applicant stopped it, or it was closed.
 * @param returnUrl the partner's page; null when it has given none
 */
export function stoppedPage(
  how: 'stopped' | 'closed',
  returnUrl: string | null,
  left: LeftBehind,
  language: Language,
): Page {
  return new Page('entry/stopped', {
    titleKey: `entry.${how}.title`,
    leadKey: `entry.${how}.lead`,
    rows: stoppedRows(left, language),
    mandates: left.mandates,
    returnUrl,
  });
}
