import { sha256 } from '../../platform/index.js';
import type { ChainEntry } from '../chain/audit-chain.js';
import type { AuditProof } from '../roots/audit-roots.service.js';

export const AUDIT_FILE_FORMAT = 'rinpath-audit/1';

/** Where an entry has the SHA-256 of a document. */
export interface ProvingColumn {
  readonly row: string;
  readonly column: string;
  /** Of the column's JSON, where it is no text. */
  readonly member?: string;
}

/** A document that belongs to a subject's audit. */
export interface Exhibit {
  readonly name: string;
  readonly mediaType: string;
  /** Text as it is, anything else in base64. */
  readonly encoding: 'utf8' | 'base64';
  readonly isPersonal: boolean;
  /** The entry's row and column that has this document's SHA-256, where one has. */
  readonly provenBy?: ProvingColumn;
  /** Null when what is kept of it is gone or cannot be opened. */
  readonly content: Buffer | null;
}

/**
 * A document in the file; one with personal data that was not asked for has no content, and no salt: what is
 * short could be found by its hash otherwise.
 */
export interface FiledExhibit extends Omit<Exhibit, 'content'> {
  /** Of the salt, if there is one, and the content. */
  readonly sha256: string;
  readonly salt?: string;
  readonly content?: string;
}

export function exhibitHash(content: Buffer, salt = ''): string {
  return sha256(Buffer.concat([Buffer.from(salt, 'utf8'), content]));
}

/** What the signature of a file covers. */
export interface UnsignedAuditFile {
  readonly format: typeof AUDIT_FILE_FORMAT;
  readonly subjectId: string;
  /** What happened, for people; what it says is in the entries. */
  readonly story: readonly string[];
  readonly entries: readonly ChainEntry[];
  /** Null while no root has been signed since the chain began. */
  readonly proof: AuditProof | null;
  readonly exhibits: readonly FiledExhibit[];
}

/** One file with everything that is kept of a subject; `checkAuditFile` checks it. */
export interface AuditFile extends UnsignedAuditFile {
  /** The service's word for all of it: a compact JWS over `FileStatement`. */
  readonly signature: string;
}

/** The bytes of a file; a file with the same content in other bytes is not valid. */
export function auditFileText(file: AuditFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** SHA-256 of a file without its signature. */
export function unsignedHash(file: UnsignedAuditFile): string {
  return sha256(JSON.stringify(file));
}

/** The root of a file's proof, and the entry up to which it proves the chain. */
export interface ProvenBy {
  readonly number: number;
  readonly root: string;
  readonly position: number;
}

/** What the signature of a file says. */
export interface FileStatement {
  readonly format: typeof AUDIT_FILE_FORMAT;
  readonly subjectId: string;
  readonly exportedAt: string;
  /** The head of the chain. */
  readonly position: number;
  readonly hash: string;
  /** By which root the file proves how much of the chain; null: by none. */
  readonly proof: ProvenBy | null;
  /** `unsignedHash`, which covers every byte. */
  readonly file: string;
  /** SHA-256 of the story's lines. */
  readonly story: string;
  /** SHA-256 of each document, by its name. */
  readonly exhibits: Readonly<Record<string, string>>;
  /** The names of those that could not be opened. */
  readonly unreadable: readonly string[];
}
