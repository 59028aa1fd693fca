import { z } from 'zod';
import { sha256 } from '../../platform/index.js';
import { type ChainEntry, readEntry } from '../audit-chain.js';
import type { AuditSource, RecordedRow, ReadableRow } from '../audit-source.js';

export const AUDIT_FILE_FORMAT = 'rinpath-audit/1';

// The file is compared byte for byte: keep the order of all members.
const Entry = z.strictObject({ position: z.int(), entry: z.string(), hash: z.string() });
const Proof = z.strictObject({
  signedRoot: z.string(),
  position: z.int(),
  leafIndex: z.int(),
  /** In hex, from the leaf's neighbour up. */
  path: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
});
const ProvingColumn = z.strictObject({
  row: z.string(),
  column: z.string(),
  /** Of the column's JSON; absent for text. */
  member: z.string().optional(),
});
/** Withheld: neither content nor salt, since the hash would reveal a short text. */
const FiledExhibit = z.strictObject({
  name: z.string(),
  mediaType: z.string(),
  /** Base64 for anything but text. */
  encoding: z.enum(['utf8', 'base64']),
  isPersonal: z.boolean(),
  provenBy: ProvingColumn.optional(),
  /** Over the salt, if any, and the content. */
  sha256: z.string(),
  salt: z.string().optional(),
  content: z.string().optional(),
});
export const AuditFile = z.strictObject({
  format: z.literal(AUDIT_FILE_FORMAT),
  subjectId: z.string(),
  story: z.array(z.string()),
  entries: z.array(Entry).min(1),
  /** Null until a root is signed after the chain's start. */
  proof: Proof.nullable(),
  exhibits: z.array(FiledExhibit),
  /** A compact JWS over `FileStatement`. */
  signature: z.string(),
});

export type AuditFile = z.infer<typeof AuditFile>;
export type AuditProof = z.infer<typeof Proof>;
export type FiledExhibit = z.infer<typeof FiledExhibit>;

export interface Exhibit extends Omit<FiledExhibit, 'content' | 'salt' | 'sha256'> {
  /** Null when it is deleted or cannot be opened. */
  readonly content: Buffer | null;
}

export function exhibitHash(content: Buffer, salt = ''): string {
  return sha256(Buffer.concat([Buffer.from(salt, 'utf8'), content]));
}

/** Other bytes with the same content are invalid. */
export function auditFileText(file: AuditFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

export function unsignedHash(file: Omit<AuditFile, 'signature'>): string {
  return sha256(JSON.stringify(file));
}

export interface ProvenBy {
  readonly number: number;
  readonly root: string;
  readonly position: number;
}

export interface FileStatement {
  readonly format: typeof AUDIT_FILE_FORMAT;
  readonly subjectId: string;
  readonly exportedAt: string;
  readonly position: number;
  readonly hash: string;
  readonly proof: ProvenBy | null;
  /** `unsignedHash`, which covers every byte. */
  readonly file: string;
  readonly story: string;
  readonly exhibits: Readonly<Record<string, string>>;
  readonly unreadable: readonly string[];
}

const INDIA = new Intl.DateTimeFormat('en-IN', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'Asia/Kolkata',
});

export function storyOf(
  entries: readonly ChainEntry[],
  byTable: ReadonlyMap<string, AuditSource>,
): string[] {
  return entries
    .flatMap(({ entry, position }) => {
      const said = readEntry(entry);
      const source = said && byTable.get(said.source);
      if (!said || !source) return [];
      const text = source.tell(readable(said.row), said.event);
      return [{ at: Date.parse(said.at), position, text }];
    })
    .toSorted((one, other) => one.at - other.at || one.position - other.position)
    .map(({ at, position, text }) => `${INDIA.format(at)} IST  ${text}  [entry ${position}]`);
}

export function storyHash(story: readonly string[]): string {
  return sha256(story.join('\n'));
}

function readable(row: RecordedRow): ReadableRow {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== null)
      .map(([column, value]) => [
        column,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
  );
}
