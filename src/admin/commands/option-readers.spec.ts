import { describe, expect, it } from 'vitest';
import { readFlagKind, readKeyName, readMobile, readNote, readPan } from './option-readers.js';

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

it('the name of a key is plain text without personal numbers, as in the file', () => {
  expect(readKeyName(' mobile app 2 ')).toBe('mobile app 2');
  for (const name of [' ', 'app\u001b[8m', 'a'.repeat(201), 'of 9876543210', 'ABCDE1234F']) {
    expect(() => readKeyName(name)).toThrow('It must be text of 1 to 200 characters');
  }
});

describe('the applicant to erase', () => {
  it.each(['9876543210', ' 9876543210', '+91 98765 43210', '०९८७६५४३२१०'])(
    'may be the mobile %j',
    (text) => expect(readMobile(text)).toBe('9876543210'),
  );

  it.each(['987654321', '98765432100', '1234567890', 'Asha Verma', ''])(
    'is not the mobile %j, which no applicant has',
    (text) => expect(() => readMobile(text)).toThrow('It must be ten digits'),
  );

  it('has a PAN in any case, and of the right form', () => {
    expect(readPan(' abcde1234f ')).toBe('ABCDE1234F');
    for (const text of ['ABCDE1234', 'ABCDE-1234-F', 'ABCD01234F', '']) {
      expect(() => readPan(text)).toThrow('It must be five letters');
    }
  });
});
