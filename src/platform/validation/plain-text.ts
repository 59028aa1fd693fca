const MAX_CHARACTERS = 200;
const MAX_MARKS = 3;

// Marks of direction, blanks without a width, soft hyphens, tags: what a copied text carries along.
const INVISIBLE =
  '\\u00ad\\u061c\\u200b\\u200e\\u200f\\u2060-\\u2065\\u206a-\\u206f\\ufeff\\u{e0000}-\\u{e0fff}';
// Also control characters, halves of surrogate pairs, private characters, line separators and what turns the direction
// of writing round. Joiners stay: Indian scripts need them.
const NOT_TEXT = `${INVISIBLE}\\p{Cc}\\p{Cs}\\p{Co}\\u2028-\\u202e\\u2066-\\u2069\\ufff9-\\ufffc\\ufffe\\uffff`;
// Marks are drawn over their letter and its neighbours. Three are enough for every script of India: a nukta, a vowel
// sign and a nasal, or a nukta, a virama and a joiner.
const MARK = '[\\p{M}\\u200c\\u200d]';

// Joiners and the fillers of Hangul are drawn as nothing, and the fillers are letters to Unicode.
const NOT_DRAWN = '\\p{Default_Ignorable_Code_Point}';

/** The one rule for text from outside that people are shown: one line that is not blank. */
export const PLAIN_TEXT = lineWith(`[^\\s${NOT_DRAWN}]`);

/** The one rule for names: plain text with at least one letter of any script. */
export const NAME = lineWith(`(?!${NOT_DRAWN})\\p{L}`);

const NO_PART_OF_TEXT = new RegExp(`[${NOT_TEXT}]`, 'gu');
const INVISIBLE_PARTS = new RegExp(`[${INVISIBLE}]`, 'gu');
const DRAWN = new RegExp(`[^\\s${NOT_DRAWN}]`, 'u');
const MARKS_TOO_MANY = new RegExp(`(${MARK}{${MAX_MARKS}})${MARK}+`, 'gu');

/** In an error message: what `isPlainText` refuses beside a wrong length. */
export const PLAIN_TEXT_RULE =
  'without control characters or more than three combining marks in a row';

/** Whether a value is plain text of at most `most` characters. */
export function isPlainText(value: unknown, most = MAX_CHARACTERS): value is string {
  return isLine(value, PLAIN_TEXT, most);
}

/** Whether a value is a name of at most `most` characters. */
export function isName(value: unknown): value is string {
  return isLine(value, NAME, MAX_CHARACTERS);
}

function isLine(value: unknown, form: RegExp, most: number): value is string {
  if (typeof value !== 'string' || value.length === 0 || value.length > 2 * most) return false;
  // A character beyond the first plane counts as one, as it does in a JSON Schema's maxLength.
  return Array.from(value).length <= most && form.test(value);
}

/** Leaves out what cannot be seen: nobody means it. */
export function withoutInvisible(written: string): string {
  return written.replaceAll(INVISIBLE_PARTS, '');
}

/** What is plain text in a text; empty when nothing is. */
export function asPlainText(written: string): string {
  const left = written.replaceAll(NO_PART_OF_TEXT, '').replaceAll(MARKS_TOO_MANY, '$1').trim();
  return DRAWN.test(left) ? left : '';
}

function lineWith(needed: string): RegExp {
  return new RegExp(`^(?=.*${needed})(?!.*${MARK}{${MAX_MARKS + 1}})[^${NOT_TEXT}]+$`, 'u');
}
