import { z } from 'zod';
import {
  field,
  isPlainText,
  type Language,
  LANGUAGES,
  PLAIN_TEXT_RULE,
  isObject,
} from '../../platform/index.js';
import type { OwnTexts } from '../../settings/index.js';
import { type Problem, problem } from './fields.js';

type Other = Exclude<Language, 'en'>;

class OwnText {
  constructor(
    readonly en: string,
    readonly others: Partial<Record<Other, string>> = {},
  ) {}
}

interface PlacedText {
  readonly path: readonly PropertyKey[];
  readonly text: OwnText;
}

/** English text, or texts by language. */
export function ownText(most = 200) {
  const line = z.string().refine((one) => isPlainText(one, most));
  const byLanguage = z.strictObject({
    en: line,
    hi: line.optional(),
  } satisfies Record<Language, z.ZodType>);
  return field(
    z.union([
      line.transform((en) => new OwnText(en)),
      byLanguage.transform(({ en, ...others }) => new OwnText(en, others)),
    ]),
    `must be text of 1 to ${most} characters ${PLAIN_TEXT_RULE}, ` +
      `or a mapping of such texts by language (${LANGUAGES.join(', ')}) with en`,
  );
}

type InEnglish<Value> = Value extends OwnText
  ? string
  : Value extends object
    ? { [Key in keyof Value]: InEnglish<Value[Key]> }
    : Value;

export function inEnglish<Value>(value: Value): InEnglish<Value> {
  const english = (one: unknown): unknown => {
    if (one instanceof OwnText) return one.en;
    if (Array.isArray(one)) return one.map(english);
    if (!isObject(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, english(part)]));
  };
  return english(value) as InEnglish<Value>;
}

export function textsIn(value: unknown, ...path: PropertyKey[]): PlacedText[] {
  if (value instanceof OwnText) return [{ path, text: value }];
  if (!isObject(value) || Buffer.isBuffer(value)) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    textsIn(part, ...path, Array.isArray(value) ? Number(name) : name),
  );
}

/** By English text. */
export function otherLanguagesOf(value: unknown): OwnTexts {
  const found: OwnTexts = {};
  for (const { text } of textsIn(value)) {
    for (const [language, said] of othersOf(text)) {
      found[language] = { ...found[language], [text.en]: said };
    }
  }
  return found;
}

/** Applicants would take two wordings of one English text for two things. */
export function differentWordings(value: unknown): Problem[] {
  const known = new Map<string, string>();
  return textsIn(value).flatMap(({ path, text }) =>
    othersOf(text).flatMap(([language, said]) => {
      const key = `${language} ${text.en}`;
      const before = known.get(key) ?? said;
      known.set(key, before);
      return problem(
        before !== said &&
          `must be the same for the same English text: “${before}” was given before`,
        ...path,
        language,
      );
    }),
  );
}

function othersOf({ others }: OwnText): [Other, string][] {
  return Object.entries(others) as [Other, string][];
}
