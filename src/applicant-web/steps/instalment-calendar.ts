import type { HostedJourneyView } from '../../journeys/index.js';
import { formatRupees, type Language, sha256, translate } from '../../platform/index.js';
import { calendarFile } from './calendar-file.js';
import { dueInstalments } from './paid-out-loan.js';

type PaidOut = Pick<HostedJourneyView, 'journeyId' | 'selected' | 'disbursedAt' | 'steps'>;

/**
 * The instalments of a loan that was paid out, as a calendar file: amounts, days and the lender, nothing
 * of the borrower.
 * @throws Error when the journey has not been paid out
 */
export function instalmentCalendar(
  { journeyId, selected, disbursedAt, steps }: PaidOut,
  now: Date,
  language: Language,
): string {
  if (!selected || !disbursedAt) throw new Error('a loan that is paid out has its terms');
  const { offer, selection } = selected;
  const lender = offer.lenderName;
  const instalments = dueInstalments(selection, disbursedAt);
  const [what, how] = steps.includes('MANDATE')
    ? ['steps.calendar.collects', 'steps.calendar.collected']
    : ['steps.calendar.pay', 'steps.calendar.paid'];
  const days = instalments.map(({ number, due, instalment }) => ({
    // Of the journey, and yet not its id: a calendar is shared with others.
    uid: `${sha256(`instalment ${journeyId}`).slice(0, 32)}-${number}`,
    day: due,
    summary: translate(language, what, { amount: formatRupees(instalment), lender }),
    description: `${translate(language, 'steps.calendar.number', {
      number,
      of: instalments.length,
    })} ${translate(language, how, { lender })}`,
  }));
  return calendarFile(days, now);
}
