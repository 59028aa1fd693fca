import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  type FieldProblem,
  isPlainText,
  PLAIN_TEXT_RULE,
  LANGUAGES,
  type Language,
  Rule,
} from '../../platform/index.js';
import type { OwnTexts } from '../../settings/index.js';
import { isMapping } from './fields.js';
import { mistake } from './placed.js';

const MAX_CHARACTERS = 200;

/** A text that applicants read, in English or by language. */
export type OwnText = string | (Partial<Record<Language, string>> & { readonly en: string });

export interface PlacedText {
  readonly path: string;
  readonly text: OwnText;
}

export function OwnTextField({ most = MAX_CHARACTERS } = {}): PropertyDecorator {
  const message =
    `must be text of 1 to ${most} characters ${PLAIN_TEXT_RULE}, ` +
    `or a mapping of such texts by language (${LANGUAGES.join(', ')}) with en`;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => trimmed(value)),
    Rule('ownText', (value) => isOwnText(value, most), message),
  );
}

export function englishOf(text: OwnText): string {
  return typeof text === 'string' ? text : text.en;
}

/** By the English. */
export function otherLanguagesOf(texts: readonly PlacedText[]): OwnTexts {
  const found: OwnTexts = {};
  for (const { text } of texts) {
    for (const [language, said] of othersOf(text)) {
      found[language] = { ...found[language], [englishOf(text)]: said };
    }
  }
  return found;
}

/** Readers would take two wordings of one English text for two things. */
export function textMistakes(texts: readonly PlacedText[]): FieldProblem[] {
  const known = new Map<string, string>();
  return texts.flatMap(({ path, text }) =>
    othersOf(text).flatMap(([language, said]) => {
      const key = `${language} ${englishOf(text)}`;
      const before = known.get(key) ?? said;
      known.set(key, before);
      const message = `must be the same wherever the English is: “${before}” stands before it`;
      return before === said ? [] : mistake(`${path}.${language}`, message);
    }),
  );
}

/** By language. */
export function missingTexts(texts: readonly PlacedText[]): Map<Language, string[]> {
  const others = LANGUAGES.filter((language) => language !== 'en');
  return new Map(
    others.map((language) => [
      language,
      texts
        .filter(({ text }) => typeof text === 'string' || text[language] === undefined)
        .map(({ path }) => path),
    ]),
  );
}

function othersOf(text: OwnText): [Exclude<Language, 'en'>, string][] {
  if (typeof text === 'string') return [];
  const entries = Object.entries(text) as [Language, string][];
  return entries.filter((entry): entry is [Exclude<Language, 'en'>, string] => entry[0] !== 'en');
}

function isOwnText(value: unknown, most: number): boolean {
  if (typeof value === 'string') return isPlainText(value, most);
  if (!isMapping(value) || !('en' in value)) return false;
  const languages: readonly string[] = LANGUAGES;
  return Object.entries(value).every(
    ([language, text]) => languages.includes(language) && isPlainText(text, most),
  );
}

function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([language, text]) => [
      language,
      typeof text === 'string' ? text.trim() : (text as unknown),
    ]),
  );
}
