const DIGIT = '[0-9०-९]';
const GAP = '[\\s-]?';
const PAN = `[A-Z](?:${GAP}[A-Z]){4}(?:${GAP}${DIGIT}){4}${GAP}[A-Z]`;
const MOBILE = `(?:(?:\\+?[9९]${GAP}[1१]|[0०])${GAP})?[6-9६-९](?:${GAP}${DIGIT}){9}`;
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

/** Blanks, dashes and joiners between digits. */
const GAPS = /[\s\p{Pd}\u200c\u200d]+/gu;
const AADHAAR = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${UUID}|(?=(${DIGIT}(?:${GAP}${DIGIT}){11})(?![\\p{L}\\p{N}])))`,
  'giu',
);

/** Whether a PAN, a mobile number or an Aadhaar number is in the text as a whole word. */
export function hasPersonalNumber(text: string): boolean {
  const narrow = text.replace(GAPS, (gap) => (gap.includes('-') ? '-' : ' '));
  const numbers = [...narrow.matchAll(AADHAAR)].map(([, number]) => number ?? '');
  return hasIdentityWord(narrow) || numbers.some(isAadhaar);
}

// The dihedral group of ten elements and the permutation of Verhoeff's scheme.
const PRODUCT = ['0123456789', '1234067895', '2340178956', '3401289567', '4012395678']
  .concat(['5987604321', '6598710432', '7659821043', '8765932104', '9876543210'])
  .map((row) => Array.from(row, Number));
const PERMUTATION = ['0123456789', '1576283094', '5803796142', '8916043527', '9453126870']
  .concat(['4286573901', '2793806415', '7046913258'])
  .map((row) => Array.from(row, Number));

/** Twelve digits, the last one Verhoeff's check digit (UIDAI). */
function isAadhaar(number: string): boolean {
  const digits = Array.from(number.replace(/[\s-]/g, ''), (digit) =>
    digit >= '०' ? digit.charCodeAt(0) - '०'.charCodeAt(0) : Number(digit),
  );
  const sum = digits
    .toReversed()
    .reduce((left, digit, place) => PRODUCT[left][PERMUTATION[place % 8][digit]], 0);
  return digits.length === 12 && sum === 0;
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
