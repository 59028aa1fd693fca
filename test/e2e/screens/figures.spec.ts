import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogueOf, type Language, LANGUAGES, projectPath } from '../../../src/platform/index.js';

/** The table of docs/contributors/glossary.md. */
const FIGURES = [
  ...readFileSync(projectPath('docs/contributors/glossary.md'), 'utf8').matchAll(
    /^\| [^|]+ \| `([\w.]+)` +\| ([^|]+?) +\| ([^|]+?) +\|$/gm,
  ),
].map(([, key, en, hi]) => ({ key, en, hi }));

/** Labels of the statement's summary, each with the text that it copies. */
const COPIES = [
  ['kfs.form5.short.emi.other', 'offers.emi.other'],
  ['kfs.form5.short.apr', 'offers.apr'],
  ['kfs.form5.short.get', 'offers.get'],
  ['kfs.form5.short.repay', 'offers.repay'],
  ['kfs.form5.short.repay-with-fee', 'instant.repay'],
] as const;

function textOf(language: Language, key: string): string {
  const text = catalogueOf(language).get(key);
  if (text === undefined) throw new Error(`${language} has no ${key}`);
  return text;
}

describe('the figures of a loan', () => {
  it('have in the catalogue the labels that the glossary lists', () => {
    expect(FIGURES.length).toBeGreaterThan(10);
    expect(FIGURES).toEqual(
      FIGURES.map(({ key }) => ({ key, en: textOf('en', key), hi: textOf('hi', key) })),
    );
  });

  it.each(LANGUAGES)('have in %s no second key that says the same', (language) => {
    const labels = new Map(FIGURES.map(({ key }) => [textOf(language, key), key]));
    const again = [...catalogueOf(language)].filter(
      ([key, text]) => labels.has(text) && labels.get(text) !== key && !key.startsWith('kfs.form'),
    );
    expect([labels.size, again]).toEqual([FIGURES.length, []]);
  });

  it.each(LANGUAGES)(
    'are called in the %s summary of a statement what the pages call them',
    (language) => {
      for (const [copy, key] of COPIES) expect(textOf(language, copy)).toBe(textOf(language, key));
    },
  );
});
