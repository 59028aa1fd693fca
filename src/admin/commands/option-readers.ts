import { InvalidArgumentError } from 'commander';
import { parseIsoInstant } from '../../platform/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../webhooks/index.js';

const LARGEST_LIMIT = 1_000_000_000;

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
