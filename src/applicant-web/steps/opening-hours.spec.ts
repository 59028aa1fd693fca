import { describe, expect, it } from 'vitest';
import type { OpeningHours } from '../../settings/index.js';
import { openingHours } from './opening-hours.js';

const hours = (...days: OpeningHours['days']): OpeningHours => ({
  days,
  opens: '09:30',
  closes: '17:00',
});

describe('opening hours', () => {
  it.each([
    [hours('MONDAY'), 'Monday, 9:30 am to 5:00 pm'],
    [hours('SATURDAY', 'SUNDAY'), 'Saturday, Sunday, 9:30 am to 5:00 pm'],
    [hours('WEDNESDAY', 'MONDAY', 'TUESDAY'), 'Monday to Wednesday, 9:30 am to 5:00 pm'],
    [
      hours('MONDAY', 'TUESDAY', 'WEDNESDAY', 'FRIDAY', 'SUNDAY'),
      'Monday to Wednesday, Friday, Sunday, 9:30 am to 5:00 pm',
    ],
  ])('are said by their days: %#', (given, said) => {
    expect(openingHours([given], 'en')).toEqual([said.replaceAll(/ (?=am|pm)/g, '\u00A0')]);
  });

  it('are said in Hindi', () => {
    const given = hours('MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY');
    expect(openingHours([given], 'hi')).toEqual([
      'सोमवार से शनिवार: सुबह\u00A09:30 से शाम\u00A05:00 तक',
    ]);
  });

  it('have a line for each entry, and none where none are configured', () => {
    expect(openingHours([hours('MONDAY'), hours('SUNDAY')], 'en')).toHaveLength(2);
    expect(openingHours(undefined, 'en')).toEqual([]);
  });
});
