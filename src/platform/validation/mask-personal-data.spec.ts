import { describe, expect, it } from 'vitest';
import { maskPersonalData } from './mask-personal-data.js';

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
