import { describe, expect, it } from 'vitest';
import { readFlagKind, readNote } from './option-readers.js';

describe('the note of a flag', () => {
  it.each(['call 9876543210', 'abcde1234f is the PAN', 'call ९८७६५४३२१०', 'a@b.example', ' '])(
    'has no personal data, and is not empty: %j',
    (note) => {
      expect(() => readNote(note)).toThrow(/^It must /);
    },
  );

  it('may have ids of loans, and dates', () => {
    const note = 'Asked the lender on 2026-11-27 18:30, jrn_00112233445566778899aabbccddeeff';
    expect(readNote(` ${note} `)).toBe(note);
  });
});

it('the kind of a flag is one of the catalogue, in any case', () => {
  expect(readFlagKind('lender_silent')).toBe('LENDER_SILENT');
  expect(() => readFlagKind('NO_SUCH')).toThrow('It must be one of ');
});
