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

/**
 * Masks each PAN and each ten-digit mobile number (with or without +91 or 0) that is a whole word of a text,
 * in either case, with Latin or Devanagari digits, and with single spaces or dashes inside. UUIDs stay.
 */
export function maskIdentityWords(text: string): string {
  return text.replace(WORDS, (word, uuid?: string) => (uuid === undefined ? MASK : word));
}

/** Whether a text has a PAN or a mobile number as a whole word. */
export function hasIdentityWord(text: string): boolean {
  return maskIdentityWords(text) !== text;
}
