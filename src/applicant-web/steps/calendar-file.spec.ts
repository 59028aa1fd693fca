import { describe, expect, it } from 'vitest';
import { type CalendarDay, calendarFile } from './calendar-file.js';

const NOW = new Date('2026-11-23T06:30:15.250Z');
const DAY: CalendarDay = {
  uid: 'one',
  day: '2026-12-31',
  summary: 'Instalment',
  description: 'Due',
};

/** Unfolds the lines as a calendar does. */
function linesOf(file: string): string[] {
  return file.replaceAll('\r\n ', '').split('\r\n').slice(0, -1);
}

describe('a calendar file', () => {
  it('has one event of a whole day, stamped with the clock, and a reminder on the day before', () => {
    expect(linesOf(calendarFile([DAY], NOW))).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Loan instalments//1.0//EN',
      'BEGIN:VEVENT',
      'UID:one',
      'DTSTAMP:20261123T063015Z',
      'DTSTART;VALUE=DATE:20261231',
      'DTEND;VALUE=DATE:20270101',
      'SUMMARY:Instalment',
      'DESCRIPTION:Due',
      'TRANSP:TRANSPARENT',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'DESCRIPTION:Instalment',
      'TRIGGER:-PT15H',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
    ]);
  });

  it('ends every line with CR and LF, and has neither elsewhere', () => {
    const file = calendarFile([{ ...DAY, description: 'one\ntwo\r\nthree\rfour' }], NOW);
    expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(linesOf(file)).toContain(String.raw`DESCRIPTION:one\ntwo\nthree\nfour`);
  });

  it('escapes commas, semicolons and backslashes in texts', () => {
    const file = calendarFile([{ ...DAY, summary: String.raw`₹1,234; A\B` }], NOW);
    expect(linesOf(file)).toContain(String.raw`SUMMARY:₹1\,234\; A\\B`);
  });

  it.each([
    ['ASCII', 'a'.repeat(300)],
    ['Devanagari', 'किस्त '.repeat(60).trim()],
    ['characters outside the first plane', '💰'.repeat(80)],
  ])('folds lines at 75 bytes and cuts no character: %s', (_, text) => {
    const file = calendarFile([{ ...DAY, description: text }], NOW);
    const lengths = file.split('\r\n').map((line) => Buffer.byteLength(line));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(75);
    expect(Math.max(...lengths)).toBeGreaterThan(70);
    expect(linesOf(file)).toContain(`DESCRIPTION:${text}`);
  });
});
