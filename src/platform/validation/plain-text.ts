const MAX_CHARACTERS = 200;
const MAX_MARKS = 3;

// Copied text contains these: direction marks, zero-width blanks, soft hyphens, tags.
const INVISIBLE =
  '\\u00ad\\u061c\\u200b\\u200e\\u200f\\u2060-\\u2065\\u206a-\\u206f\\ufeff\\u{e0000}-\\u{e0fff}';
// Joiners stay: Indian scripts need them.
const NOT_TEXT = `${INVISIBLE}\\p{Cc}\\p{Cs}\\p{Co}\\u2028-\\u202e\\u2066-\\u2069\\ufff9-\\ufffc\\ufffe\\uffff`;
// Marks overlap neighbouring letters; Indian scripts need up to three.
const MARK = '[\\p{M}\\u200c\\u200d]';

// Invisible, though Unicode counts Hangul fillers as letters.
const NOT_DRAWN = '\\p{Default_Ignorable_Code_Point}';

/** Required of all displayed text from outside. */
export const PLAIN_TEXT = lineWith(`[^\\s${NOT_DRAWN}]`);

export const NAME = lineWith(`(?!${NOT_DRAWN})\\p{L}`);

const NO_PART_OF_TEXT = new RegExp(`[${NOT_TEXT}]`, 'gu');
const INVISIBLE_PARTS = new RegExp(`[${INVISIBLE}]`, 'gu');
const DRAWN = new RegExp(`[^\\s${NOT_DRAWN}]`, 'u');
const MARKS_TOO_MANY = new RegExp(`(${MARK}{${MAX_MARKS}})${MARK}+`, 'gu');

export const PLAIN_TEXT_RULE =
  'without control characters or more than three combining marks in a row';

export function isPlainText(value: unknown, most = MAX_CHARACTERS): value is string {
  return isLine(value, PLAIN_TEXT, most);
}

export function isName(value: unknown): value is string {
  return isLine(value, NAME, MAX_CHARACTERS);
}

function isLine(value: unknown, form: RegExp, most: number): value is string {
  if (typeof value !== 'string' || value.length === 0 || value.length > 2 * most) return false;
  // Counts characters as a JSON Schema's maxLength does.
  return Array.from(value).length <= most && form.test(value);
}

export function withoutInvisible(written: string): string {
  return written.replaceAll(INVISIBLE_PARTS, '');
}

/** May return an empty text. */
export function asPlainText(written: string): string {
  const left = written.replaceAll(NO_PART_OF_TEXT, '').replaceAll(MARKS_TOO_MANY, '$1').trim();
  return DRAWN.test(left) ? left : '';
}

function lineWith(needed: string): RegExp {
  return new RegExp(`^(?=.*${needed})(?!.*${MARK}{${MAX_MARKS + 1}})[^${NOT_TEXT}]+$`, 'u');
}
