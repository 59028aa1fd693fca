const DIGIT = '[0-9०-९]';
const GAP = '[\\s-]?';
const PAN = `[A-Z](?:${GAP}[A-Z]){4}(?:${GAP}${DIGIT}){4}${GAP}[A-Z]`;
const MOBILE = `(?:(?:\\+?[9९][1१]|[0०])${GAP})?[6-9६-९](?:${GAP}${DIGIT}){9}`;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const WORDS = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?<uuid>${UUID})|${PAN}|${MOBILE})(?![\\p{L}\\p{N}])`,
  'giu',
);
const MASK = '…';

/** Masks PANs and mobile numbers as whole words; keeps UUIDs. */
export function maskIdentityWords(text: string): string {
  return text.replace(WORDS, (word, uuid?: string) => (uuid === undefined ? MASK : word));
}

export function hasIdentityWord(text: string): boolean {
  return maskIdentityWords(text) !== text;
}

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
