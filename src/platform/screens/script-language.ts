import { LANGUAGES, type Language } from './language.js';

const SCRIPTS: Readonly<Record<Language, RegExp>> = {
  en: /\p{Script=Latin}/u,
  hi: /\p{Script=Devanagari}/u,
};
/** English last: names stand in Latin letters in every language. */
const IN_ORDER = [...LANGUAGES.filter((language) => language !== 'en'), 'en'] as const;

/**
 * The language that a text from outside is to be read aloud in, by its script: what lenders and the
 * configuration say is there in one language, and none of them tells in which. Null for figures alone.
 */
export function scriptLanguage(text: string): Language | null {
  return IN_ORDER.find((language) => SCRIPTS[language].test(text)) ?? null;
}
