import { describe, expect, it } from 'vitest';
import { chargesIn, inLanguage, joinedTexts, ownTextOf, textsOf } from './own-texts.js';

const TEXTS = { hi: { 'Late payment': 'किस्त देर से चुकाना', 'Stamp duty': 'स्टांप शुल्क' } };

describe('a text of the configuration', () => {
  it.each([
    ['hi', 'Stamp duty', 'स्टांप शुल्क'],
    ['en', 'Stamp duty', 'Stamp duty'],
    ['hi', 'Processing fee', 'Processing fee'],
    // What lenders write may be anything.
    ['hi', 'constructor', 'constructor'],
    ['hi', '__proto__', '__proto__'],
  ] as const)('is said in %s: %s', (language, text, said) => {
    expect(inLanguage(TEXTS, language, text)).toBe(said);
  });

  it.each([null, undefined, {}])('is English where nothing else is known: %s', (texts) => {
    expect(inLanguage(texts, 'hi', 'Stamp duty')).toBe('Stamp duty');
  });

  it('is said of a charge as far as it is known', () => {
    const charges = [{ name: 'Late payment', description: '2% a month' }];
    expect(chargesIn(TEXTS, 'hi', charges)).toEqual([
      { name: 'किस्त देर से चुकाना', description: '2% a month' },
    ]);
    expect(chargesIn(TEXTS, 'en', charges)).toEqual(charges);
  });
});

describe('a text of our own words', () => {
  it('is its English, and by it what it is in the other languages', () => {
    const { text, texts } = ownTextOf((language) => ({ en: 'Fee', hi: 'शुल्क' })[language]);
    expect([text, texts]).toEqual(['Fee', { hi: { Fee: 'शुल्क' } }]);
    expect(inLanguage(texts, 'hi', text)).toBe('शुल्क');
  });
});

describe('texts in other languages', () => {
  it('are kept of the texts that are asked for alone', () => {
    expect(textsOf(TEXTS, ['Stamp duty', 'Processing fee', 'toString'])).toEqual({
      hi: { 'Stamp duty': 'स्टांप शुल्क' },
    });
  });

  it.each([undefined, {}, { hi: {} }, TEXTS])('are none where none is asked for: %s', (all) => {
    expect(textsOf(all, ['Processing fee'])).toEqual({});
  });

  it("are joined: the other's where both have one", () => {
    const other = { hi: { 'Stamp duty': 'स्टांप', Fee: 'शुल्क' } };
    expect(joinedTexts(TEXTS, other)).toEqual({
      hi: { 'Late payment': 'किस्त देर से चुकाना', 'Stamp duty': 'स्टांप', Fee: 'शुल्क' },
    });
    expect(joinedTexts(undefined, other)).toEqual(other);
    expect(joinedTexts(TEXTS, undefined)).toEqual(TEXTS);
  });
});
