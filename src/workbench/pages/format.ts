import { parseIsoInstant } from '../../platform/index.js';

export interface Stamp {
  readonly iso: string;
  readonly text: string;
}

const INDIA_MS = 19_800_000;
const numbers = new Intl.NumberFormat('en-IN');

/** `2026-11-21 05:30:00.123 UTC` */
export function stamp(at: Date): Stamp {
  const iso = at.toISOString();
  return { iso, text: `${iso.slice(0, -1).replace('T', ' ')} UTC` };
}

/** For a `datetime-local` field, in India's time. */
export function dateTimeField(at: Date): string {
  return new Date(at.getTime() + INDIA_MS).toISOString().slice(0, 16);
}

/** `datetime-local` sends no offset; the page says that it is India's time. */
export function readDateTimeField(text: string): Date | null {
  return parseIsoInstant(text.trim(), { timeOffset: '+05:30' });
}

export function grouped(number: number): string {
  return numbers.format(number);
}

/** `1 attempt`, `3 attempts` */
export function counted(count: number, one: string, more: string): string {
  return `${grouped(count)} ${count === 1 ? one : more}`;
}
