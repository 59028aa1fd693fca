import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchFiles, namedBranches } from '../../data/branch-files.js';
import { projectPath } from '../../src/platform/index.js';

const CSV = [
  '\uFEFFBANK,IFSC,BRANCH,CENTRE,DISTRICT,STATE,ADDRESS,CITY',
  'First Bank,FRST0000001,"Main Road, ""Old"" Town",PUNE,PUNE,MAHARASHTRA,"12, Main Road',
  'Pune",NA',
  'First Bank,FRST0AB12CD,Fort,NA,NA,KERALA,NA,KOCHI',
].join('\r\n');

const DATA = {
  bankNames: { FRST: 'First Bank', SECX: 'Second Bank' },
  codes: { FRST: [12, 1, 2, 'AB12CD', 'ZZ0001', 'bad'], NONE: [7], '../x': [1] },
  sublets: { FRST0000002: 'Third Bank', FRST0000012: 'SECX', FRST0ZZ: 'SECX' },
  named: new Map<string, { branch: string; place: string }>(),
};

describe('the files of the banks', () => {
  it('have the name, and each code in order with its branch or bank', () => {
    const files = branchFiles({ ...DATA, named: namedBranches(CSV) });
    expect(files.get('FRST')).toBe(
      [
        'First Bank',
        '000001\tMain Road, "Old" Town\tPUNE',
        '000002\t\t\tThird Bank',
        '000012\t\t\tSecond Bank',
        'AB12CD\tFort\tKOCHI',
        'ZZ0001\t\t\tSecond Bank',
        '',
      ].join('\n'),
    );
  });

  it('are named by four letters, whatever the data says', () => {
    expect([...branchFiles(DATA).keys()]).toEqual(['FRST', 'NONE']);
  });

  it('have the letters where the data has no name', () => {
    expect(branchFiles(DATA).get('NONE')).toBe('NONE\n000007\n');
  });

  it('are not made of a table without the columns', () => {
    expect(() => namedBranches('IFSC,BRANCH\r\nFRST0000001,Fort')).toThrow('no column CITY');
  });
});

describe('the files of data/ifsc', () => {
  const folder = projectPath('data/ifsc');
  const names = readdirSync(folder);
  const banks = names.filter((name) => /^[A-Z]{4}\.txt$/.test(name));
  const texts = banks.map((name) => readFileSync(join(folder, name), 'utf8'));

  it('are those of the banks, with their licence and their source beside them', () => {
    expect(names.filter((name) => !banks.includes(name))).toEqual(['LICENSE', 'README.md']);
    expect(banks.length).toBeGreaterThan(200);
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toContain('The MIT License');
    const [version = '', taken = ''] =
      /`ifsc` ([\d.]+) [^]* Taken on ([\d-]+)\./
        .exec(readFileSync(join(folder, 'README.md'), 'utf8').replaceAll('\n', ' '))
        ?.slice(1) ?? [];
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Number.isNaN(Date.parse(taken))).toBe(false);
  });

  it('have the name of the bank, then each code once and in order, in one form', () => {
    const broken = texts.flatMap((text, index) => {
      const [name = '', ...lines] = text.split('\n');
      const codes = lines.slice(0, -1).map((line) => line.slice(0, 6));
      const isRight =
        /^\S[^\t]*$/.test(name) &&
        lines.at(-1) === '' &&
        lines.slice(0, -1).every((line) => /^[A-Z0-9]{6}(?:\t[^\t]*){0,3}$/.test(line)) &&
        codes.every((code, at) => at === 0 || codes[at - 1] < code);
      return isRight ? [] : [banks[index]];
    });
    expect(broken).toEqual([]);
  });
});
