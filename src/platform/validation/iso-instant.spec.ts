import { describe, expect, it } from 'vitest';
import { type IsoForms, parseIsoInstant } from './iso-instant.js';

const EVERY_FORM: IsoForms = { dateOffset: '+05:30', timeOffset: '-01:00', basicOffset: true };

function read(text: string, forms?: IsoForms): string | null {
  return parseIsoInstant(text, forms)?.toISOString() ?? null;
}

describe('an ISO 8601 instant', () => {
  it.each([
    ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00.1234567Z', '2026-01-31T10:00:00.123Z'],
    ['2026-01-31T10:00:00.5+05:30', '2026-01-31T04:30:00.500Z'],
    ['2028-02-29T10:00-08:00', '2028-02-29T18:00:00.000Z'],
    ['0050-02-28T00:00Z', '0050-02-28T00:00:00.000Z'],
  ])('is a date and time with its offset: %s', (text, expected) => {
    expect(read(text)).toBe(expected);
    expect(read(text, EVERY_FORM)).toBe(expected);
  });

  it.each([
    ['2026-01-31', '2026-01-30T18:30:00.000Z'],
    ['2026-01-31T10:00', '2026-01-31T11:00:00.000Z'],
    ['2026-01-31T10:00:00', '2026-01-31T11:00:00.000Z'],
    ['2026-01-31T10:00-0800', '2026-01-31T18:00:00.000Z'],
  ])('is %s only where that form is taken', (text, expected) => {
    expect(read(text, EVERY_FORM)).toBe(expected);
    expect(read(text)).toBeNull();
  });

  it.each(['', 'today', '2026', '2026-13-01', '2026-02-30'])(
    'is no day that does not exist, nor another text: %j',
    (text) => {
      expect(read(text, EVERY_FORM)).toBeNull();
      expect(read(`${text}T10:00:00Z`, EVERY_FORM)).toBeNull();
    },
  );

  it.each([
    '2026-01-01T25:00:00Z',
    '2026-01-01T10:61:00Z',
    '2026-01-01T10',
    '2026-01-01T10:00:00+99:99',
    '2026-01-01T10:00:00,5Z',
    ' 2026-01-01T10:00:00Z',
    '2026-01-01T10:00:00Z\n',
  ])('is no time that does not exist, nor another form: %j', (text) => {
    expect(read(text, EVERY_FORM)).toBeNull();
  });
});
