import * as fc from 'fast-check';
import { isIdentityCard } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { hasPersonalNumber } from './personal-data-masks.js';

const RUNS = { numRuns: 10_000 };
const gap = fc.constantFrom('', ' ', '-', '  ', ' - ');
const wrap = fc.constantFrom(['', ''], ['order ', ''], ['(', ')'], ['a:', '/b']);
const devanagari = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode('०'.charCodeAt(0) + Number(digit)));

/** Twelve digits that the library of validators takes for an Aadhaar number. */
const aadhaar = fc
  .stringMatching(/^[1-9]\d{10}$/)
  .map((eleven) =>
    Array.from('0123456789', (check) => eleven + check).find((all) => isIdentityCard(all, 'IN'))!,
  );

const numbers = fc.oneof(
  fc.stringMatching(/^[A-Z]{5}[0-9]{4}[A-Z]$/),
  fc.stringMatching(/^(|0|91|\+91)[6-9]\d{9}$/),
  aadhaar,
);

describe('a PAN, a mobile number or an Aadhaar number', () => {
  it('is found as a whole word, with spaces and dashes in it, in digits of either script', () => {
    const written = fc.tuple(numbers, gap, wrap, fc.boolean(), fc.nat(11));
    const found = fc.check(
      fc.property(written, ([number, between, [before, after], isHindi, at]) => {
        const place = Math.max(1, at % number.length);
        const text = number.slice(0, place) + between + number.slice(place);
        return hasPersonalNumber(before + (isHindi ? devanagari(text) : text) + after);
      }),
      RUNS,
    );
    expect(found.counterexample).toBeNull();
  });

  it('is not found in order numbers, epochs and UUIDs', () => {
    const other = fc.oneof(
      fc.stringMatching(/^(ORD|INV|LN)-20\d{2}-\d{4,6}$/),
      fc.stringMatching(/^[A-Z]{2}\d{6}$/),
      fc.integer({ min: 1_500_000_000, max: 1_999_999_999 }).map(String),
      fc.integer({ min: 1_500_000_000_000, max: 1_999_999_999_999 }).map(String),
      fc.uuid(),
    );
    const found = fc.check(
      fc.property(other, (text) => !hasPersonalNumber(text)),
      RUNS,
    );
    expect(found.counterexample).toBeNull();
  });
});
