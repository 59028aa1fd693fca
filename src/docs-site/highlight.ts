import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';

/** By the word after a fence. */
const LANGUAGES = { sh: bash, go, java, js: javascript, ts: javascript, json, php, python };

/** @returns HTML; null for a language without colours */
export function highlighted(code: string, language: string): string | null {
  if (!Object.hasOwn(LANGUAGES, language)) return null;
  // Here, because most processes show no page.
  if (!hljs.getLanguage(language)) {
    hljs.registerLanguage(language, LANGUAGES[language as keyof typeof LANGUAGES]);
  }
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
