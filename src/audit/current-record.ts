import type { RecordedRow } from './audit-source.js';

/** Every record; the composition root knows them. */
export const CURRENT_RECORDS = Symbol('CURRENT_RECORDS');

/** A table whose rows change, and how the rows of the audit determine what each holds now. */
export interface CurrentRecord {
  readonly table: string;
  /** Columns with the subject; the first that is not null counts. Rows without one are not covered. */
  readonly subject: readonly string[];
  /** The column that tells a subject's rows apart in the audit. */
  readonly key: string;
  /** What is compared: by name, in SQL, of a row `r`. */
  readonly values: Readonly<Record<string, string>>;
  /** What a row of an audit table determines, if anything; a later row wins. */
  readonly determinedBy: (table: string, row: RecordedRow) => DeterminedRow | null;
  /** Days after which the row may be gone. Undefined: it is never deleted. */
  readonly removedAfterDays?: number;
}

export interface DeterminedRow {
  readonly key: string;
  /** By the names of `values`; those that are left out stay as they were determined before. */
  readonly values: RecordedRow;
}

/** A row as it is now: each value as text, in the order of the record's `values`. */
export interface PresentRecord {
  readonly subjectId: string;
  readonly key: string;
  readonly values: readonly (string | null)[];
}

/** A JSON object inside a row of the audit; empty when it is something else. */
export function detailOf({ detail }: RecordedRow): RecordedRow {
  return typeof detail === 'object' && detail !== null ? (detail as RecordedRow) : {};
}

/** The text of a value that is meant to be an id; empty when it is something else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
