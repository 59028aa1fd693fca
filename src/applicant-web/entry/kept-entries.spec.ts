import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectPath } from '../../platform/index.js';

// Rejected input is not stored, for example after a session has ended.

const FOLDER = projectPath('views/language');
const PROMISE = {
  en: /nothing[^.]*\blost\b|nothing[^.]*\bentered\b|\bis saved\b/i,
  hi: /खोया नहीं|नहीं खोए|जानकारी सुरक्षित/,
};

describe.each(['en', 'hi'] as const)('the texts of the pages, %s', (language) => {
  it('do not promise to keep what was entered', () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith(`.${language}.json`));
    expect(files.length).toBeGreaterThan(5);
    const texts = files.flatMap((name) =>
      Object.entries(
        JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Record<string, string>,
      ),
    );
    expect(texts.filter(([, text]) => PROMISE[language].test(text))).toEqual([]);
  });
});
