import { createRequire } from 'node:module';

/** The package's own types add those of browsers to the whole project. */
interface Highlighter {
  getLanguage(name: string): object | undefined;
  registerLanguage(name: string, language: object): void;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): { readonly value: string };
}

/** At the first use: most processes show no page. */
const load = createRequire(import.meta.url);

/** The package's language name, by the word after a fence. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'bash',
  js: 'javascript',
  ts: 'javascript',
  json: 'json',
  python: 'python',
  java: 'java',
  go: 'go',
  php: 'php',
};

/** @returns HTML; null for a language without colours */
export function highlighted(code: string, word: string): string | null {
  if (!Object.hasOwn(LANGUAGES, word)) return null;
  const language = LANGUAGES[word];
  const highlighter = load('highlight.js/lib/core') as Highlighter;
  if (!highlighter.getLanguage(language)) {
    highlighter.registerLanguage(
      language,
      load(`highlight.js/lib/languages/${language}`) as object,
    );
  }
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}
