import { describe, expect, it } from 'vitest';
import { readInstant } from './instant.js';

describe('readInstant', () => {
  it.each([
    ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
    [' 2026-01-31T10:00:00.123+05:30 ', '2026-01-31T04:30:00.123Z'],
    ['2028-02-29T10:00-08:00', '2028-02-29T18:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(readInstant(text)?.toISOString()).toBe(expected);
  });

  it.each([
    '2026-01-31',
    '2026-01-31T10:00:00',
    '2026-02-30T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-01-31T25:00:00Z',
    'yesterday',
    '',
    12,
    null,
    undefined,
    {},
  ])('answers null for %j', (value) => {
    expect(readInstant(value)).toBeNull();
  });
});
