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
  it('has every error of the catalogue, and no other, in order, and says of each when it comes and what to do', () => {
    const listed = documented();
    const inDocument = listed.map(({ code, status, message }) => ({ code, status, message }));
    const inCode = Object.entries(ERROR_CATALOGUE).map(([code, error]) => ({ code, ...error }));
    const place = ({ code, status }: { code: string; status: number }) => `${status} ${code}`;
    const byPlace = (a: (typeof inCode)[number], b: (typeof inCode)[number]) =>
      place(a) < place(b) ? -1 : 1;
    expect(inDocument).toEqual(inCode.toSorted(byPlace));
    for (const { code, when, whatToDo } of listed) {
      expect([code, when.length > 10, whatToDo.length > 5]).toEqual([code, true, true]);
    }
  });
});
