import { addDays, type IndianDay } from '../../loans/index.js';
import type { HostedJourneyView } from '../../journeys/index.js';
import { formatRupees, type Language, sha256, translate } from '../../platform/index.js';
import { dueInstalments } from './paid-out-loan.js';

const LINE_BYTES = 75;
/** 9:00 the day before: an all-day event begins at midnight. */
const REMINDER = '-PT15H';

export interface CalendarDay {
  /** Stable, so that a second file updates the event. */
  readonly uid: string;
  readonly day: IndianDay;
  readonly summary: string;
  readonly description: string;
}

/** RFC 5545; all-day events with a reminder the day before. */
export function calendarFile(days: readonly CalendarDay[], now: Date): string {
  const stamp = `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Loan instalments//1.0//EN',
    ...days.flatMap((day) => event(day, stamp)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function event({ uid, day, summary, description }: CalendarDay, stamp: string): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${basic(day)}`,
    `DTEND;VALUE=DATE:${basic(addDays(day, 1))}`,
    `SUMMARY:${escaped(summary)}`,
    `DESCRIPTION:${escaped(description)}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escaped(summary)}`,
    `TRIGGER:${REMINDER}`,
    'END:VALARM',
    'END:VEVENT',
  ];
}

function basic(day: IndianDay): string {
  return day.replaceAll('-', '');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`);
}

/** At most 75 bytes of UTF-8 a line, without cutting a character (RFC 5545, 3.1). */
function folded(line: string): string {
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return text;
}

type PaidOut = Pick<HostedJourneyView, 'journeyId' | 'selected' | 'disbursedAt' | 'steps'>;

/**
 * Without the borrower's data.
 * @throws Error when the journey is not paid out
 */
export function instalmentCalendar(
  { journeyId, selected, disbursedAt, steps }: PaidOut,
  now: Date,
  language: Language,
): string {
  if (!selected || !disbursedAt) throw new Error('the paid-out loan has no terms');
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
