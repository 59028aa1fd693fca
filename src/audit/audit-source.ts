import { getMetadataArgsStorage } from 'typeorm';
import type { z } from 'zod';
import { type ColumnOf, Columns, sha256 } from '../platform/index.js';

/** Text or JSON, without nulls. */
export type ReadableRow = Readonly<Record<string, string | undefined>>;

/** Empty if invalid: an entry that bypassed the service must not stop the others. */
export function recordedJson<Detail extends object>(
  form: z.ZodType<Detail>,
  text: string | undefined,
): Partial<Detail> {
  try {
    const read = form.safeParse(JSON.parse(text ?? '{}'));
    return read.success ? read.data : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

export const AUDIT_SOURCES = Symbol('AUDIT_SOURCES');

/** Times as text, sealed columns as hashes. */
export type RecordedRow = Readonly<Record<string, unknown>>;

/** How a table's rows join the chains; its trigger names the same columns. */
export interface AuditSource {
  readonly table: string;
  readonly key: string;
  readonly keyType: 'bigint' | 'text';
  readonly subject: string;
  readonly at: string;
  /** An erasure empties them; the chain has their hash. */
  readonly sealed: readonly string[];
  /** They change while the row is processed, so the chain omits them. */
  readonly leftOut: readonly string[];
  /** Set once after the insert. */
  readonly filledIn: readonly string[];
  /** The sealed columns may be empty only after such a row. */
  readonly isErasure: (row: RecordedRow) => boolean;
  /** Undefined: never deleted. */
  readonly removedAfterDays: (row: RecordedRow) => number | undefined;
  /** The sentence for an auditor, who does not know the code. */
  readonly tell: (row: ReadableRow, event: AuditEvent) => string;
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

/** @throws Error unless the entity has one key column */
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

/** As `audit_row` writes it. */
export function sealedHash(sealed: string): string {
  return `sha256:${sha256(sealed)}`;
}
