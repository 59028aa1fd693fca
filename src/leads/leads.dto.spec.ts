import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { validated } from '../platform/index.js';
import { LeadsQuery, pageOf, parseTimeEdge } from './leads.dto.js';

const start = (text: string) => parseTimeEdge(text, 'start')?.toISOString();
const end = (text: string) => parseTimeEdge(text, 'end')?.toISOString();

describe('parseTimeEdge', () => {
  it('reads a date-time with its offset, without one as India’s', () => {
    expect(start('2026-01-31T10:00:00.1234567Z')).toBe('2026-01-31T10:00:00.123Z');
    expect(start('2026-01-31T10:00-0800')).toBe('2026-01-31T18:00:00.000Z');
    // A query string has eaten the plus.
    for (const text of ['2026-01-31T10:00:00 05:30', '2026-01-31T10:00:00'])
      expect(start(text)).toBe('2026-01-31T04:30:00.000Z');
  });

  it('takes a date alone as the whole day in India', () => {
    expect(start('2026-01-31')).toBe('2026-01-30T18:30:00.000Z');
    expect(end('2026-01-31')).toBe('2026-01-31T18:29:59.999Z');
  });

  it('answers null for what is no date or time', () => {
    const wrong = ['', 'today', '2026', '2026-1-1', '2026-13-01', '2026-02-30', '2026-04-31'];
    const wrongTimes = ['2026-01-01T25:00:00Z', '2026-01-01T10:61:00Z', '2026-01-01T10', '1e3'];
    const texts = [...wrong, ...wrongTimes, '2026-01-01T10:00:00+99:99'];
    expect(texts.filter((text) => start(text) !== undefined)).toEqual([]);
  });
});

describe('the page of a query', () => {
  it.each<[object, number, number]>([
    [{}, 1, 20],
    [{ page: '0', limit: '0' }, 1, 1],
    [{ page: '-7', limit: '101' }, 1, 100],
    [{ page: '', limit: '9'.repeat(20) }, 1, 100],
    [{ page: ['1', '2'], unknown: '1' }, 2, 20],
  ])('%j is brought into range: %i, of %i', (parameters, page, limit) => {
    expect(pageOf(validated(LeadsQuery, { ...parameters }))).toEqual({ page, limit });
  });

  it.each(['two', 'NaN', '1e3', '1.5', '0x10'])('is not %s', (page) => {
    expect(() => validated(LeadsQuery, { page })).toThrow('Validation failed');
  });
});
