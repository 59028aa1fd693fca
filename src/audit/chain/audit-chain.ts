import { createHash } from 'node:crypto';
import { isDeeper } from '../../platform/index.js';
import { AUDIT_EVENTS, type AuditEvent, type SaidRow } from '../audit-source.js';

/** One entry as it is kept and as a file has it. */
export interface ChainEntry {
  readonly position: number;
  /** Byte for byte as it was hashed. */
  readonly entry: string;
  /** In hex. */
  readonly hash: string;
  /** The column by which a day's entries are found; it repeats what the entry says. */
  readonly joinedAt?: string;
}

/** What an entry says. */
export interface SaidEntry {
  readonly at: string;
  readonly event: AuditEvent;
  readonly source: string;
  readonly row: SaidRow;
}

/** What stands before the first entry: a chain belongs to its subject. */
export function chainBeginning(subjectId: string): Buffer {
  return createHash('sha256').update(subjectId, 'utf8').digest();
}

/** SHA-256 of the hash before and the entry. */
export function nextHash(previous: Buffer, entry: string): Buffer {
  return createHash('sha256').update(previous).update(entry, 'utf8').digest();
}

/** The deepest rows of the service have four levels. */
const MOST_LEVELS = 32;

/** Null when it is no entry. */
export function readEntry(text: string): SaidEntry | null {
  try {
    const read = JSON.parse(text) as Partial<SaidEntry> | null;
    if (typeof read?.source !== 'string' || typeof read.at !== 'string') return null;
    if (Number.isNaN(Date.parse(read.at))) return null;
    if (!AUDIT_EVENTS.some((event) => event === read.event)) return null;
    const isRow =
      typeof read.row === 'object' && read.row !== null && !isDeeper(read.row, MOST_LEVELS);
    return isRow ? (read as SaidEntry) : null;
  } catch {
    return null;
  }
}
