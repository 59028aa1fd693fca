import { InvalidArgumentError } from 'commander';
import { MOBILE, PAN } from '../../applicants/index.js';
import { FLAG_KINDS } from '../../operator-flags/index.js';
import {
  hasIdentityWord,
  isPlainText,
  maskPersonalData,
  mobileOf,
  parseIsoInstant,
  PLAIN_TEXT_RULE,
} from '../../platform/index.js';
import { DELIVERY_STATUSES } from '../../webhooks/index.js';

const LARGEST_LIMIT = 1_000_000_000;
const LONGEST_NOTE = 500;
const LONGEST_KEY_NAME = 200;
const FLAG_ID = /^[1-9]\d{0,14}$/;

/** They contain as many digits as personal numbers. */
const IDS_AND_DATES = /\b[a-z]{3}_[0-9a-f]{32}\b|\b\d{4}-\d\d-\d\d\b/g;

export function readLimit(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= LARGEST_LIMIT) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${LARGEST_LIMIT}.`);
}

export function readWords(text: string): string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.includes('')) throw new InvalidArgumentError('It must be words separated by commas.');
  return [...new Set(words)];
}

export function readInstant(text: string): Date {
  const time = parseIsoInstant(text, { dateOffset: 'Z', basicOffset: true });
  if (time) return time;
  throw new InvalidArgumentError('It must be a date, or a time with its offset (ISO 8601).');
}

export const readDeliveryStatus = wordReader(
  DELIVERY_STATUSES,
  DELIVERY_STATUSES.join(', ').toLowerCase(),
);
export const readFlagKind = wordReader(FLAG_KINDS, FLAG_KINDS.join(', '));

/** Case-insensitive. */
function wordReader<Word extends string>(words: readonly Word[], shown: string) {
  return (text: string): Word => {
    const word = words.find((one) => one === text.toUpperCase());
    if (word) return word;
    throw new InvalidArgumentError(`It must be one of ${shown}.`);
  };
}

export function readFlagId(text: string): number {
  if (FLAG_ID.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be an id that `flags list` shows.');
}

/** The audit keeps it forever, and partners see it. */
export function readKeyName(text: string): string {
  const name = text.trim();
  if (isPlainText(name, LONGEST_KEY_NAME) && !hasIdentityWord(name)) return name;
  throw new InvalidArgumentError(
    `It must be text of 1 to ${LONGEST_KEY_NAME} characters ${PLAIN_TEXT_RULE}, without a mobile number or a PAN.`,
  );
}

/** Ten digits. A text of another form would match no applicant. */
export function readMobile(text: string): string {
  const mobile = mobileOf(text);
  if (MOBILE.test(mobile)) return mobile;
  throw new InvalidArgumentError('It must be ten digits, of which the first is 6 to 9.');
}

/** A text of another form would match no applicant. */
export function readPan(text: string): string {
  const pan = text.trim().toUpperCase();
  if (PAN.test(pan)) return pan;
  throw new InvalidArgumentError('It must be five letters, four digits and a letter.');
}

/** Notes are kept forever. */
export function readNote(text: string): string {
  const note = text.trim();
  if (note === '' || note.length > LONGEST_NOTE) {
    throw new InvalidArgumentError(`It must have 1 to ${LONGEST_NOTE} characters.`);
  }
  const rest = note.replaceAll(IDS_AND_DATES, ';');
  if (hasIdentityWord(rest) || maskPersonalData(rest) !== rest) {
    throw new InvalidArgumentError(
      'It must not contain personal data (mobile, account or Aadhaar number, PAN, e-mail address). Name the loan by its id.',
    );
  }
  return note;
}
