import { InvalidArgumentError } from 'commander';
import { FLAG_KINDS, type FlagKind } from '../../operator-flags/index.js';
import { hasIdentityWord, maskPersonalData, parseIsoInstant } from '../../platform/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../webhooks/index.js';

const LARGEST_LIMIT = 1_000_000_000;
const LONGEST_NOTE = 500;
const FLAG_ID = /^[1-9]\d{0,14}$/;

/** The service's own ids and dates, which have as many digits. */
const IDS_AND_DATES = /\b[a-z]{3}_[0-9a-f]{32}\b|\b\d{4}-\d\d-\d\d\b/g;

/** A limit of requests. */
export function readLimit(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= LARGEST_LIMIT) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${LARGEST_LIMIT}.`);
}

/** Different words parted by commas. */
export function readWords(text: string): string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.includes('')) throw new InvalidArgumentError('It must be words parted by commas.');
  return [...new Set(words)];
}

/** A status of deliveries, in either case. */
export function readDeliveryStatus(text: string): DeliveryStatus {
  const status = DELIVERY_STATUSES.find((one) => one === text.toUpperCase());
  if (status) return status;
  throw new InvalidArgumentError(
    `It must be one of ${DELIVERY_STATUSES.join(', ').toLowerCase()}.`,
  );
}

/** An ISO 8601 date, or date-time with its offset. */
export function readInstant(text: string): Date {
  const time = parseIsoInstant(text, { dateOffset: 'Z', basicOffset: true });
  if (time) return time;
  throw new InvalidArgumentError('It must be a date, or a time with its offset (ISO 8601).');
}

/** A kind of flag, in either case. */
export function readFlagKind(text: string): FlagKind {
  const kind = FLAG_KINDS.find((one) => one === text.toUpperCase());
  if (kind) return kind;
  throw new InvalidArgumentError(`It must be one of ${FLAG_KINDS.join(', ')}.`);
}

/** The number of a flag. */
export function readFlagId(text: string): number {
  if (FLAG_ID.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number that `flags list` shows.');
}

/** A note that is kept for good. */
export function readNote(text: string): string {
  const note = text.trim();
  if (note === '' || note.length > LONGEST_NOTE) {
    throw new InvalidArgumentError(`It must have 1 to ${LONGEST_NOTE} characters.`);
  }
  const rest = note.replaceAll(IDS_AND_DATES, ';');
  if (hasIdentityWord(rest) || maskPersonalData(rest) !== rest) {
    throw new InvalidArgumentError(
      'It must have no personal data: no mobile, account or Aadhaar number, PAN or e-mail address. Name the loan by its id.',
    );
  }
  return note;
}
