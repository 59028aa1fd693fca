import { describe, expect, it } from 'vitest';
import { chargesIn, inLanguage, joinedTexts, ownTextOf, textsOf } from './own-texts.js';

const TEXTS = { hi: { 'Late payment': 'किस्त देर से चुकाना', 'Stamp duty': 'स्टांप शुल्क' } };

describe('a text of the configuration', () => {
  it.each([
    ['hi', 'Stamp duty', 'स्टांप शुल्क'],
    ['en', 'Stamp duty', 'Stamp duty'],
    ['hi', 'Processing fee', 'Processing fee'],
    // Lenders may write any text.
    ['hi', 'constructor', 'constructor'],
    ['hi', '__proto__', '__proto__'],
  ] as const)('is said in %s: %s', (language, text, said) => {
    expect(inLanguage(TEXTS, language, text)).toBe(said);
    for (const none of [null, undefined, {}]) expect(inLanguage(none, language, text)).toBe(text);
    const charges = [{ name: text, description: '2% a month' }];
    expect(chargesIn(TEXTS, language, charges)).toEqual([
      { name: said, description: '2% a month' },
    ]);
  });

  it('is its English, and by it what it is in the other languages', () => {
    const own = ownTextOf((language) => ({ en: 'Fee', hi: 'शुल्क' })[language]);
    expect(own).toEqual({ text: 'Fee', texts: { hi: { Fee: 'शुल्क' } } });
  });

  it('is kept when it is asked for', () => {
    expect(textsOf(TEXTS, ['Stamp duty', 'Processing fee', 'toString'])).toEqual({
      hi: { 'Stamp duty': 'स्टांप शुल्क' },
    });
    for (const all of [undefined, {}, { hi: {} }, TEXTS]) {
      expect(textsOf(all, ['Processing fee'])).toEqual({});
    }
  });

  it("is the other's where both have one", () => {
    const other = { hi: { 'Stamp duty': 'स्टांप', Fee: 'शुल्क' } };
    expect(joinedTexts(TEXTS, other)).toEqual({ hi: { ...TEXTS.hi, ...other.hi } });
    expect(joinedTexts(undefined, other)).toEqual(other);
    expect(joinedTexts(TEXTS, undefined)).toEqual(TEXTS);
  });
});
