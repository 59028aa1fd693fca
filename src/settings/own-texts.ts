import { type Language, LANGUAGES } from '../platform/index.js';

/** By language and English text; a missing translation falls back to English. */
export type OwnTexts = Partial<Record<Language, Record<string, string>>>;

export function inLanguage(
  texts: OwnTexts | null | undefined,
  language: Language,
  text: string,
): string {
  const known = texts?.[language];
  return known && Object.hasOwn(known, text) ? known[text] : text;
}

/**
 * For texts made of our own words.
 * @returns the English, and its translations
 */
export function ownTextOf(say: (language: Language) => string): { text: string; texts: OwnTexts } {
  const text = say('en');
  const others = LANGUAGES.filter((language) => language !== 'en');
  const texts = Object.fromEntries(others.map((language) => [language, { [text]: say(language) }]));
  return { text, texts };
}

interface Charge {
  readonly name: string;
  readonly description: string;
}

export function chargesIn(
  texts: OwnTexts | undefined,
  language: Language,
  charges: readonly Charge[],
): { name: string; description: string }[] {
  const say = (text: string) => inLanguage(texts, language, text);
  return charges.map(({ name, description }) => ({
    name: say(name),
    description: say(description),
  }));
}

export function textsOf(all: OwnTexts | undefined, texts: readonly string[]): OwnTexts {
  const languages = Object.entries(all ?? {}).map(
    ([language, known]) =>
      [
        language,
        Object.fromEntries(
          texts.filter((text) => Object.hasOwn(known, text)).map((text) => [text, known[text]]),
        ) as Record<string, string>,
      ] as const,
  );
  return Object.fromEntries(languages.filter(([, known]) => Object.keys(known).length > 0));
}

/** Texts of `other` take precedence. */
export function joinedTexts(one: OwnTexts | undefined, other: OwnTexts | undefined): OwnTexts {
  const languages = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})] as Language[]);
  return Object.fromEntries(
    [...languages].map((language) => [language, { ...one?.[language], ...other?.[language] }]),
  );
}
