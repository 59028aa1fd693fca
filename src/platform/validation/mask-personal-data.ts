const MASK = '…';
/** PANs, emails, and numbers of mobiles, accounts and Aadhaar; ASCII or Devanagari digits. */
const PERSONAL = [
  // As a word, or after a percent-encoded character.
  /(?:(?<![\p{L}\p{N}])|(?<=%[\da-f]{2}))[a-z]{5}\p{Nd}{4}[a-z](?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}.+_-])[\p{L}\p{N}.+_-]+(?:@|%40)[\p{L}\p{N}.-]+/giu,
  /\p{Nd}{4}[ -]\p{Nd}{4}[ -]\p{Nd}{4}/gu,
  /\p{Nd}{5}[ -]\p{Nd}{5}/gu,
  /\p{Nd}{9,}/gu,
];

/** Masks by form only; names are not recognised. */
export function maskPersonalData(text: string): string {
  return PERSONAL.reduce((masked, pattern) => masked.replaceAll(pattern, MASK), text);
}
