import { getMetadataArgsStorage } from 'typeorm';
import type { z } from 'zod';
import { type ColumnOf, Columns, sha256 } from '../platform/index.js';

/** The same for people: each value as text, JSON where it is no text; without those that are null. */
export type ToldRow = Readonly<Record<string, string | undefined>>;

/**
 * A JSON column of a told row. Empty unless it has this form: whoever writes into a chain past the service
 * writes what they like, and the others of its entries are to be told all the same.
 */
export function toldJson<Told extends object>(
  form: z.ZodType<Told>,
  text: string | undefined,
): Partial<Told> {
  try {
    const read = form.safeParse(JSON.parse(text ?? '{}'));
    return read.success ? read.data : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Every source; the composition root knows them. */
export const AUDIT_SOURCES = Symbol('AUDIT_SOURCES');

/** A row as the chain says it: by the names of its columns, times as text, of sealed columns the hash. */
export type SaidRow = Readonly<Record<string, unknown>>;

/** How the rows of one table join the chains; the trigger on the table says the same (`triggerArguments`). */
export interface AuditSource {
  readonly table: string;
  /** The column that tells its rows apart. */
  readonly key: string;
  readonly keyType: 'bigint' | 'text';
  /** The column with the journey, the instant loan, or whatever else has the chain. */
  readonly subject: string;
  /** The column with the time that the row was written at. */
  readonly at: string;
  /** Columns that an erasure empties: only the hash of what they hold is in the chain. */
  readonly sealed: readonly string[];
  /** Columns that change while the row is worked on: they are not in the chain. */
  readonly leftOut: readonly string[];
  /** Columns that are empty at first and are filled in once; no other one ever changes. */
  readonly filledIn: readonly string[];
  /** Whether the row says that the subject's personal data was erased: without one nothing sealed goes. */
  readonly isErasure: (row: SaidRow) => boolean;
  /** After so many days the row itself may be gone; its entry stays. Undefined: it stays, too. */
  readonly removedAfterDays: (row: SaidRow) => number | undefined;
  /** What has happened, in a sentence for somebody who does not know the code. */
  readonly tell: (row: ToldRow, event: AuditEvent) => string;
}

export const AUDIT_EVENTS = ['INSERT', 'UPDATE'] as const;

export type AuditEvent = (typeof AUDIT_EVENTS)[number];

interface Declared<Entity> {
  readonly subject: ColumnOf<Entity>;
  readonly at: ColumnOf<Entity>;
  readonly sealed?: readonly ColumnOf<Entity>[];
  readonly leftOut?: readonly ColumnOf<Entity>[];
  readonly filledIn?: readonly ColumnOf<Entity>[];
  readonly isErasure?: AuditSource['isErasure'];
  readonly removedAfterDays?: AuditSource['removedAfterDays'];
  readonly tell: AuditSource['tell'];
}

/** @throws Error when the entity has not exactly one column as its key */
export function auditSource<Entity extends object>(
  entity: new () => Entity,
  { subject, at, sealed = [], leftOut = [], filledIn = [], ...rest }: Declared<Entity>,
): AuditSource {
  const columns = new Columns(entity);
  const storage = getMetadataArgsStorage();
  const keys = storage.filterColumns(entity).filter(({ options }) => options.primary === true);
  const table = storage.tables.find(({ target }) => target === entity)?.name;
  const [key] = keys;
  if (!key || keys.length > 1 || !table) throw new Error(`${entity.name} has no single key`);
  const named = (properties: readonly ColumnOf<Entity>[]) =>
    properties.map((property) => columns.name(property));
  return {
    table,
    key: columns.name(key.propertyName as ColumnOf<Entity>),
    keyType: key.options.type === 'bigint' ? 'bigint' : 'text',
    subject: columns.name(subject),
    at: columns.name(at),
    sealed: named(sealed),
    leftOut: named(leftOut),
    filledIn: named(filledIn),
    isErasure: () => false,
    removedAfterDays: () => undefined,
    ...rest,
  };
}

/** What the chain says of a sealed column, as `audit_row` does. */
export function saidOfSealed(sealed: string): string {
  return `sha256:${sha256(sealed)}`;
}

/** What the trigger on a source's table hands to `chain_audit_row`. */
export function triggerArguments({ subject, sealed, leftOut }: AuditSource): string[] {
  return [subject, `{${sealed.join(',')}}`, `{${leftOut.join(',')}}`];
}
