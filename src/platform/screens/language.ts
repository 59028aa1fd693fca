import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { readCookie } from './page-cookies.js';

/** The languages that every screen speaks. */
export const LANGUAGES = ['en', 'hi'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language's own name for itself, as the switch has it. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', hi: 'हिन्दी' };

export const LANGUAGE_COOKIE = 'lang';

/**
 * The language of a request's answer: the one chosen on a page before, else the browser's first
 * that we speak, else English.
 */
export function languageOf(request: Request): Language {
  const chosen = readCookie(request, LANGUAGE_COOKIE);
  if (isLanguage(chosen)) return chosen;
  const accepted = request.acceptsLanguages([...LANGUAGES]);
  return isLanguage(accepted) ? accepted : 'en';
}

/** The language of the answer, as a handler's parameter. */
export const PageLanguage = createParamDecorator(
  (_: unknown, context: ExecutionContext): Language =>
    languageOf(context.switchToHttp().getRequest<Request>()),
);

/**
 * The first of our languages that a call's `Accept-Language` names; null when it names none. That
 * any will do (`*`, or no such header) names none.
 */
export function namedLanguage(request: Request): Language | null {
  const primaries = request.acceptsLanguages().map((tag) => tag.split('-')[0].toLowerCase());
  return primaries.find(isLanguage) ?? null;
}

/** What a page in a language can be switched to, by name. */
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
/** English last: names stand in Latin letters in every language. */
const IN_ORDER = [...LANGUAGES.filter((language) => language !== 'en'), 'en'] as const;

/**
 * The language that a text from outside is to be read aloud in, by its script: what lenders and the
 * configuration say is there in one language, and none of them tells in which. Null for figures alone.
 */
export function scriptLanguage(text: string): Language | null {
  return IN_ORDER.find((language) => SCRIPTS[language].test(text)) ?? null;
}
