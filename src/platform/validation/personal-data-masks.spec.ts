import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasIdentityWord, maskIdentityWords, maskPersonalData } from './personal-data-masks.js';

/** Made-up PANs and mobile numbers. */
const IDENTITY_WORDS = fc.stringMatching(/^([A-Z]{5}[0-9]{4}[A-Z]|(0|91)?[6-9][0-9]{9})$/);
const befores = fc.constantFrom('', '-', '_', '.', ':', '/', '(', 'a-', 'order ', 'evc_');
const afters = fc.constantFrom('', '-', '_', '.', '?', ')', '-a', '_17', ' is it');

describe('a PAN or a mobile number', () => {
  it('is masked wherever it is a whole word of a text', () => {
    fc.assert(
      fc.property(IDENTITY_WORDS, befores, afters, (word, before, after) => {
        const text = `${before}${word}${after}`;
        expect(hasIdentityWord(text)).toBe(true);
        expect(maskIdentityWords(text)).toBe(`${before}…${after}`);
      }),
    );
  });

  it.each(['+919876543210', '09876543210', '98765-43210', '+91-98765-43210'])(
    'is masked as %s',
    (mobile) => expect(maskIdentityWords(`call ${mobile}, please`)).toBe('call …, please'),
  );

  it.each(['abcpe1234f', 'ABCPE-1234-F', '९८७६५४३२१०', '+९१ ९८७६५ ४३२१०'])(
    'is masked as %s',
    (word) => expect(maskIdentityWords(word)).toBe('…'),
  );
});

describe('other words', () => {
  it.each([
    '1764700001',
    '98765432101',
    '9876543210a',
    'ABCPE1234FX',
    `jrn_${'9'.repeat(32)}`,
    '/api/v1/partner/leads?page=2',
    '2026-01-31T10:00:00.500+05:30',
    'SANCTIONED',
  ])('are left as they are: %s', (text) => {
    expect(hasIdentityWord(text)).toBe(false);
    expect(maskIdentityWords(text)).toBe(text);
  });
});

describe('maskPersonalData', () => {
  it.each([
    ['{"pan":"ABCPE1234F"}', '{"pan":"…"}'],
    ['pan=abcpe1234f&x=1', 'pan=…&x=1'],
    ['mobile +919876543210', 'mobile +…'],
    ['९८७६५४३२१०', '…'],
    ['2345 6789 0123', '…'],
    ['account 123456789', 'account …'],
    ['asha.verma+loan@mail.example refused', '… refused'],
  ])('of %s', (text, masked) => {
    expect(maskPersonalData(text)).toBe(masked);
  });

  it.each([
    'evt_01a1fcf153ae76b2be3e2ab68ffc4d07 was seen before',
    '2026-11-27T12:10:43.123Z 503 upstream timed out after 30000 ms',
    '{"error":"unknown event journey.kyc_done","line":1234}',
    'ABCPE1234FG, XABCPE1234F',
  ])('leaves %s', (text) => {
    expect(maskPersonalData(text)).toBe(text);
  });
});
