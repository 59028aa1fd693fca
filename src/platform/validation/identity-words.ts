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
