import type { HostedJourneyView } from '../../journeys/index.js';
import { formatRupees, type Language, sha256, translate } from '../../platform/index.js';
import { calendarFile } from './calendar-file.js';
import { dueInstalments } from './paid-out-loan.js';

type PaidOut = Pick<HostedJourneyView, 'journeyId' | 'selected' | 'disbursedAt' | 'steps'>;

/**
 * The instalments as a calendar file, without the borrower's data.
 * @throws Error when the journey is not paid out
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
    // Derived from the journey's id, but not the id: calendars are shared.
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
