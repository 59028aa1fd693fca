import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asPlainText, isName, isPlainText, PLAIN_TEXT } from './plain-text.js';

const GRAVE = '\u0300';

describe('plain text', () => {
  it.each([
    'Asha Verma',
    'O’Brien & Söhne, 12/4',
    'अश्विनी कुमार श्रीवास्तव',
    'ढूँढ़ें, बाँटीं, पढ़ीं, क़्य़ा',
    // A nukta, a virama and a joiner; a nukta, a vowel sign and a nasal.
    'क\u093c\u094d\u200dर, ढ\u093c\u0942\u0901',
    'र्‍य, श्री, क्ष्म्य, स्त्र्यम्बकं',
    'தமிழ்நாடு கூட்டுறவு வங்கி',
    'Nguye\u0302\u0303n Ti\u00ea\u0301ng Vi\u00ea\u0323t',
    '👩‍🌾 ❤️‍🔥 1️⃣',
  ])('is %s', (text) => {
    expect(isPlainText(text)).toBe(true);
    expect(isPlainText(text.normalize('NFC'))).toBe(true);
    expect(asPlainText(text)).toBe(text);
  });

  it.each([
    ['nothing', ''],
    ['blanks alone', ' \u00a0'],
    ['more than 200 characters', 'x'.repeat(201)],
    ['a line break', 'a\nb'],
    ['NUL', 'a\0'],
    ['half a surrogate pair', 'a\ud800'],
    ['an override of the direction', 'a\u202eb'],
    ['a blank that cannot be seen', 'a\u200bb'],
    ['a tag', 'a\u{e0041}'],
    ['four marks in a row', `a${GRAVE.repeat(4)}`],
    ['marks held together by joiners', `a${`${GRAVE}\u200d`.repeat(2)}`],
    ['a joiner alone', '\u200d'],
    ['a filler that is drawn as nothing', '\u3164'],
  ])('is not %s', (_, text) => {
    expect(isPlainText(text)).toBe(false);
  });

  it('is what is left of any text, unless nothing is left', () => {
    const any = fc.string({
      unit: fc.oneof(fc.constantFrom(GRAVE, '\u0901', '\u200d', '\u202e', '\n'), fc.string()),
      maxLength: 30,
    });
    fc.assert(
      fc.property(any, (text) => {
        const left = asPlainText(text);
        expect(left === '' || PLAIN_TEXT.test(left)).toBe(true);
        expect(asPlainText(left)).toBe(left);
        expect(!PLAIN_TEXT.test(text) || left === text.trim()).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a name', () => {
  it.each(['A', 'Asha Verma', 'D’Souza', 'क', 'अश्विनी श्री', 'र्\u200dय', 'த', '3M', 'Ñ', '山田'])(
    'has a letter: %s',
    (name) => {
      expect(isName(name)).toBe(true);
    },
  );

  it.each([
    '',
    ' ',
    '.',
    '-',
    '0',
    '123',
    '१२३',
    '₹',
    '\u200b',
    '\u200d',
    '\u3164',
    '\u0901',
    '🙂',
  ])('is not %j', (text) => {
    expect(isName(text)).toBe(false);
  });
});
