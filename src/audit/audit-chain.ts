import { createHash } from 'node:crypto';
import { isDeeper } from '../platform/index.js';
import { AUDIT_EVENTS, type AuditEvent, type RecordedRow } from './audit-source.js';

export interface ChainEntry {
  readonly position: number;
  /** Byte for byte as hashed. */
  readonly entry: string;
  /** Hex. */
  readonly hash: string;
  readonly joinedAt?: string;
}

export interface RecordedEntry {
  readonly at: string;
  readonly event: AuditEvent;
  readonly source: string;
  readonly row: RecordedRow;
}

export function chainBeginning(subjectId: string): Buffer {
  return createHash('sha256').update(subjectId, 'utf8').digest();
}

export function nextHash(previous: Buffer, entry: string): Buffer {
  return createHash('sha256').update(previous).update(entry, 'utf8').digest();
}

/** The service's rows have at most four levels. */
const MAX_LEVELS = 32;

export function readEntry(text: string): RecordedEntry | null {
  try {
    const read = JSON.parse(text) as Partial<RecordedEntry> | null;
    if (typeof read?.source !== 'string' || typeof read.at !== 'string') return null;
    if (Number.isNaN(Date.parse(read.at))) return null;
    if (!AUDIT_EVENTS.some((event) => event === read.event)) return null;
    const isRow =
      typeof read.row === 'object' && read.row !== null && !isDeeper(read.row, MAX_LEVELS);
    return isRow ? (read as RecordedEntry) : null;
  } catch {
    return null;
  }
}
