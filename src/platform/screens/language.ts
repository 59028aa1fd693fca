import type { Request } from 'express';
import { fromRequest } from '../http/from-request.js';
import { readCookie } from './page-cookies.js';

export const LANGUAGES = ['en', 'hi'] as const;
export type Language = (typeof LANGUAGES)[number];

const NAMES: Readonly<Record<Language, string>> = { en: 'English', hi: 'हिन्दी' };

export const LANGUAGE_COOKIE = 'lang';

export function languageOf(request: Request): Language {
  const chosen = readCookie(request, LANGUAGE_COOKIE);
  if (isLanguage(chosen)) return chosen;
  const accepted = request.acceptsLanguages([...LANGUAGES]);
  return isLanguage(accepted) ? accepted : 'en';
}

export const PageLanguage = fromRequest(languageOf);

/** From `Accept-Language`; null for none, also for `*`. */
export function namedLanguage(request: Request): Language | null {
  const primaries = request.acceptsLanguages().map((tag) => tag.split('-')[0].toLowerCase());
  return primaries.find(isLanguage) ?? null;
}

export function otherLanguages(language: Language): { code: Language; name: string }[] {
  const others = LANGUAGES.filter((other) => other !== language);
  return others.map((code) => ({ code, name: NAMES[code] }));
}

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

const SCRIPTS: Readonly<Record<Language, RegExp>> = {
  en: /\p{Script=Latin}/u,
  hi: /\p{Script=Devanagari}/u,
};
/** English last: names are in Latin letters in every language. */
const IN_ORDER = [...LANGUAGES.filter((language) => language !== 'en'), 'en'] as const;

/** External texts have no language, so the script decides. Null for figures only. */
export function scriptLanguage(text: string): Language | null {
  return IN_ORDER.find((language) => SCRIPTS[language].test(text)) ?? null;
}
