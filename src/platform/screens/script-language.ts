import type { Language } from './language.js';

const DEVANAGARI = /\p{Script=Devanagari}/u;
const LATIN = /\p{Script=Latin}/u;

/**
 * The language that a text from outside is to be read aloud in, by its script: what lenders and the
 * configuration say is there in one language, and none of them tells in which. Null for figures alone.
 */
export function scriptLanguage(text: string): Language | null {
  if (DEVANAGARI.test(text)) return 'hi';
  return LATIN.test(text) ? 'en' : null;
}
