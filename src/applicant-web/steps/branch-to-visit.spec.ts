import { describe, expect, it } from 'vitest';
import { written } from '../../platform/index.js';
import type { OpeningHours } from '../../settings/index.js';
import { openingHours } from './branch-to-visit.js';

const hours = (...days: OpeningHours['days']): OpeningHours => ({
  days,
  opens: '09:30',
  closes: '17:00',
});

describe('opening hours', () => {
  it.each([
    [hours('MONDAY'), 'Mon, 9:30 am–5:00 pm'],
    [hours('SATURDAY', 'SUNDAY'), 'Sat, Sun, 9:30 am–5:00 pm'],
    [hours('WEDNESDAY', 'MONDAY', 'TUESDAY'), 'Mon–Wed, 9:30 am–5:00 pm'],
    [
      hours('MONDAY', 'TUESDAY', 'WEDNESDAY', 'FRIDAY', 'SUNDAY'),
      'Mon–Wed, Fri, Sun, 9:30 am–5:00 pm',
    ],
  ])('are said by their days: %#', (given, said) => {
    expect(written(openingHours([given]), 'en')).toEqual([
      said.replaceAll(/ (?=[ap]m)/g, '\u00A0'),
    ]);
  });

  it('are said in Hindi', () => {
    const given = hours('MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY');
    expect(written(openingHours([given]), 'hi')).toEqual(['सोम–शनि, सुबह\u00A09:30–शाम\u00A05:00']);
  });

  it('have a line for each entry, and none where none are configured', () => {
    expect(openingHours([hours('MONDAY'), hours('SUNDAY')])).toHaveLength(2);
    expect(openingHours(undefined)).toEqual([]);
  });
});
