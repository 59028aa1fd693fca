import { type Language, LANGUAGES } from '../platform/index.js';

/**
 * What texts of the configuration are in other languages than English: by language, then by the English
 * text. A text that is not there is shown in English.
 */
export type OwnTexts = Partial<Record<Language, Record<string, string>>>;

/** A text of the configuration as readers of a language have it; its English where there is none. */
export function inLanguage(
  texts: OwnTexts | null | undefined,
  language: Language,
  text: string,
): string {
  const known = texts?.[language];
  return known && Object.hasOwn(known, text) ? known[text] : text;
}

/**
 * A text that is made of our own words.
 * @returns its English, and what that is in the other languages
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

/** Charges as readers of a language have them. */
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

/** Of these texts alone. */
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

/** Both together; the other's where both have a text. */
export function joinedTexts(one: OwnTexts | undefined, other: OwnTexts | undefined): OwnTexts {
  const languages = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})] as Language[]);
  return Object.fromEntries(
    [...languages].map((language) => [language, { ...one?.[language], ...other?.[language] }]),
  );
}
