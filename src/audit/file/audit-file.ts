import { sha256 } from '../../platform/index.js';
import type { ChainEntry } from '../chain/audit-chain.js';
import type { AuditProof } from '../roots/audit-roots.service.js';

export const AUDIT_FILE_FORMAT = 'rinpath-audit/1';

/** Where an entry has the SHA-256 of a document. */
export interface ProvingColumn {
  readonly row: string;
  readonly column: string;
  /** Of the column's JSON, unless it is text. */
  readonly member?: string;
}

export interface Exhibit {
  readonly name: string;
  readonly mediaType: string;
  /** Text as it is, anything else in base64. */
  readonly encoding: 'utf8' | 'base64';
  readonly isPersonal: boolean;
  readonly provenBy?: ProvingColumn;
  /** Null when it is gone or cannot be opened. */
  readonly content: Buffer | null;
}

/**
 * Withheld personal data has neither content nor salt: short texts could be found by their hash.
 */
export interface FiledExhibit extends Omit<Exhibit, 'content'> {
  /** Of the salt, if any, and the content. */
  readonly sha256: string;
  readonly salt?: string;
  readonly content?: string;
}

export function exhibitHash(content: Buffer, salt = ''): string {
  return sha256(Buffer.concat([Buffer.from(salt, 'utf8'), content]));
}

export interface UnsignedAuditFile {
  readonly format: typeof AUDIT_FILE_FORMAT;
  readonly subjectId: string;
  /** For people; the entries have the facts. */
  readonly story: readonly string[];
  readonly entries: readonly ChainEntry[];
  /** Null until a root is signed after the chain began. */
  readonly proof: AuditProof | null;
  readonly exhibits: readonly FiledExhibit[];
}

export interface AuditFile extends UnsignedAuditFile {
  /** A compact JWS over `FileStatement`. */
  readonly signature: string;
}

/** The same content in other bytes is not valid. */
export function auditFileText(file: AuditFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

export function unsignedHash(file: UnsignedAuditFile): string {
  return sha256(JSON.stringify(file));
}

/** The entry up to which a root proves the chain. */
export interface ProvenBy {
  readonly number: number;
  readonly root: string;
  readonly position: number;
}

/** The signature's payload. */
export interface FileStatement {
  readonly format: typeof AUDIT_FILE_FORMAT;
  readonly subjectId: string;
  readonly exportedAt: string;
  /** The head of the chain. */
  readonly position: number;
  readonly hash: string;
  readonly proof: ProvenBy | null;
  /** `unsignedHash`, which covers every byte. */
  readonly file: string;
  /** SHA-256 of the story's lines. */
  readonly story: string;
  /** SHA-256 by the document's name. */
  readonly exhibits: Readonly<Record<string, string>>;
  /** Names of documents that could not be opened. */
  readonly unreadable: readonly string[];
}
