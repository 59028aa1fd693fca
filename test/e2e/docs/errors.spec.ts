import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CATALOGUE } from '../../../src/platform/index.js';

interface DocumentedError {
  code: string;
  status: number;
  message: string;
  when: string;
  whatToDo: string;
}

const PAGE = readFileSync(new URL('../../../docs/partners/errors.md', import.meta.url), 'utf8');

function documented(): DocumentedError[] {
  return PAGE.split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, code, status, message, when, whatToDo]) => ({
      code: code.replaceAll('`', ''),
      status: Number(status),
      message,
      when,
      whatToDo,
    }));
}

describe('docs/partners/errors.md', () => {
  it('has every error of the catalogue, and no other, with its status and sentence', () => {
    const inDocument = documented().map(({ code, status, message }) => ({ code, status, message }));
    const inCode = Object.entries(ERROR_CATALOGUE).map(([code, error]) => ({ code, ...error }));
    const byCode = (a: { code: string }, b: { code: string }) => (a.code < b.code ? -1 : 1);
    expect(inDocument.toSorted(byCode)).toEqual(inCode.toSorted(byCode));
  });

  it('says of each when it comes and what to do', () => {
    for (const { code, when, whatToDo } of documented()) {
      expect([code, when.length > 10, whatToDo.length > 5]).toEqual([code, true, true]);
    }
  });

  it('lists the checks in their order, by codes that there are, where the signing page points', () => {
    const [, section] = PAGE.split('## The order of checks');
    const [list] = section.split('\n## ');
    expect([...list.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 11 }, (_, place) => place + 1),
    );
    const codes = [...list.matchAll(/`(\w+)`/g)].map(([, code]) => code);
    expect(codes.filter((code) => !(code in ERROR_CATALOGUE))).toEqual([]);
    const order = ['malformed_credentials', 'invalid_signature', 'key_suspended', 'nonce_reused'];
    const later = ['rate_limited', 'scope_missing', 'journey_not_found', 'journey_session_missing'];
    const expected = [...order, ...later, 'malformed_json', 'wrong_step'];
    expect(codes.filter((code) => expected.includes(code))).toEqual(expected);
    const signing = readFileSync(
      new URL('../../../docs/partners/signing.md', import.meta.url),
      'utf8',
    );
    expect(signing).toContain('(errors.md#the-order-of-checks)');
  });

  it('is in the order of statuses and codes, so that one finds things', () => {
    const order = documented().map(({ code, status }) => `${status} ${code}`);
    expect(order).toEqual(order.toSorted());
  });
});
