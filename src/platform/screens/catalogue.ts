import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectPath } from '../database/data-source.js';
import { LANGUAGES, type Language } from './language.js';

/** `count` chooses between `.one` and `.other`. */
export type TextValues = Readonly<Record<string, string | number>>;

type Catalogue = ReadonlyMap<string, string>;

export type TextsOf<Name extends string> = Readonly<
  Record<Language, Readonly<Record<Name, string>>>
>;

const FOLDER = projectPath('views/language');
const PLACEHOLDER = /\{([A-Za-z][A-Za-z0-9]*)\}/g;

const plurals = new Map(LANGUAGES.map((language) => [language, new Intl.PluralRules(language)]));
const defined = new Map(LANGUAGES.map((language) => [language, new Map<string, string>()]));
let catalogues: ReadonlyMap<Language, Catalogue> | undefined;

/** @returns keys, `<prefix>.<name>` */
export function defineTexts<Name extends string>(
  prefix: string,
  texts: TextsOf<Name>,
): Readonly<Record<Name, string>> {
  for (const language of LANGUAGES) {
    for (const [name, text] of Object.entries<string>(texts[language])) {
      defined.get(language)!.set(`${prefix}.${name}`, text);
    }
  }
  catalogues = undefined;
  const keys = Object.keys(texts.en).map((name) => [name, `${prefix}.${name}`]);
  return Object.fromEntries(keys) as Record<Name, string>;
}

/**
 * @param key `<area>.<name>`; with `count`, also `<key>.one` and `<key>.other`
 * @throws Error for an unknown key or a missing value
 */
export function translate(language: Language, key: string, values: TextValues = {}): string {
  const text = textOf(language, key, values) ?? textOf('en', key, values);
  if (text === undefined) throw new Error(`no catalogue of views/language has the key ${key}`);
  return text.replace(PLACEHOLDER, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${key} needs a value for {${name}}`);
    return String(value);
  });
}

export function hasText(key: string): boolean {
  return catalogueOf('en').has(key);
}

function textOf(language: Language, key: string, { count }: TextValues): string | undefined {
  const catalogue = catalogueOf(language);
  const exact = catalogue.get(key);
  if (exact !== undefined || typeof count !== 'number') return exact;
  const form = plurals.get(language)?.select(count) === 'one' ? 'one' : 'other';
  return catalogue.get(`${key}.${form}`);
}

export function catalogueOf(language: Language): Catalogue {
  catalogues ??= new Map(LANGUAGES.map((each) => [each, readCatalogue(each)]));
  return catalogues.get(language)!;
}

function readCatalogue(language: Language): Catalogue {
  const suffix = `.${language}.json`;
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(suffix));
  const entries = files.flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Record<string, string>),
  );
  return new Map([...entries, ...defined.get(language)!]);
}
