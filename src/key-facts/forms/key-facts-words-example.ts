import { readFileSync } from 'node:fs';
import type { KeyFactsWords } from './key-facts-document.js';

export function keyFactsWordsExample(language: 'en' | 'hi'): KeyFactsWords {
  const file = new URL(`../../../views/language/kfs.${language}.json`, import.meta.url);
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return (key, values = {}) => {
    const form = values.count === 1 ? 'one' : 'other';
    const text = texts[key] ?? texts[`${key}.${form}`];
    if (text === undefined) throw new Error(`no text ${key}`);
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (values[name] === undefined) throw new Error(`${key} needs {${name}}`);
      return String(values[name]);
    });
  };
}
