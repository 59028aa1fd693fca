import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrappedLines } from './page-flow.js';

const widthOf = (text: string) => text.length;

describe('wrappedLines', () => {
  it('breaks between words', () => {
    expect(wrappedLines('a fee that is not here', 10, widthOf)).toEqual([
      'a fee that',
      'is not',
      'here',
    ]);
  });

  it('breaks a word only when it is wider than a whole line', () => {
    expect(wrappedLines('see 0123456789abcdef now', 6, widthOf)).toEqual([
      'see',
      '012345',
      '6789ab',
      'cdef',
      'now',
    ]);
  });

  it('never tears a syllable of Devanagari apart', () => {
    for (const line of wrappedLines('क्षेत्रकिस्तें', 3, widthOf)) {
      expect(line).not.toMatch(/^[\u093e-\u094d]/);
    }
  });

  it('has one empty line for an empty text', () => {
    expect(wrappedLines('', 10, widthOf)).toEqual(['']);
  });

  it('loses nothing and makes no line too wide, whatever the text', () => {
    const words = fc.array(fc.stringMatching(/^[a-z0-9₹,]{1,30}$/), { maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 40 }), (given, width) => {
        const lines = wrappedLines(given.join(' '), width, widthOf);
        expect(lines.join('').replaceAll(' ', '')).toBe(given.join(''));
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });
});
