import { Inject, Injectable } from '@nestjs/common';
import { Database, Keyring } from '../../platform/index.js';
import { AUDIT_SOURCES, type AuditSource } from '../audit-source.js';
import { AuditSigner } from '../signed-statement.js';
import { readEntry, type RecordedEntry } from '../audit-chain.js';
import { AuditRoots } from '../roots/audit-roots.service.js';
import { AuditChainsRepository } from '../store/audit-chains.repository.js';
import {
  AUDIT_FILE_FORMAT,
  type AuditFile,
  type Exhibit,
  exhibitHash,
  type FiledExhibit,
  type FileStatement,
  storyHash,
  storyOf,
  unsignedHash,
} from './audit-file.js';

const UNREADABLE = {
  mediaType: 'text/plain',
  encoding: 'utf8',
  isPersonal: false,
  content: Buffer.from('It cannot be decrypted.', 'utf8'),
} as const;

@Injectable()
export class AuditFiles {
  private readonly byTable: ReadonlyMap<string, AuditSource>;

  constructor(
    @Inject(AUDIT_SOURCES) sources: readonly AuditSource[],
    private readonly database: Database,
    private readonly chains: AuditChainsRepository,
    private readonly roots: AuditRoots,
    private readonly signer: AuditSigner,
    private readonly keyring: Keyring,
  ) {
    this.byTable = new Map(sources.map((source) => [source.table, source]));
  }

  async said(subjectId: string): Promise<RecordedEntry[]> {
    const chain = await this.database.transaction((tx) => this.chains.chainOf(tx, subjectId));
    return chain.entries.map(({ entry }) => readEntry(entry)).filter((entry) => entry !== null);
  }

  /**
   * @param withPersonalData false: hashes only
   * @returns null when the subject has no chain
   */
  async make(
    subjectId: string,
    exhibits: readonly Exhibit[],
    { withPersonalData }: { withPersonalData: boolean },
  ): Promise<AuditFile | null> {
    const { entries, proven, exportedAt } = await this.database.transaction(async (tx) => {
      await this.chains.readOneState(tx);
      const chain = await this.chains.chainOf(tx, subjectId);
      return {
        entries: chain.entries.map(({ position, entry, hash }) => ({ position, entry, hash })),
        proven: await this.roots.proofOf(tx, subjectId),
        exportedAt: (await this.chains.now(tx)).toISOString(),
      };
    });
    const head = entries.at(-1);
    if (!head) return null;
    const story = storyOf(entries, this.byTable);
    const filed = exhibits.map((exhibit) => this.filed(subjectId, exhibit, withPersonalData));
    const unsigned = {
      format: AUDIT_FILE_FORMAT,
      subjectId,
      story,
      entries,
      proof: proven?.proof ?? null,
      exhibits: filed,
    } as const;
    const statement: FileStatement = {
      format: AUDIT_FILE_FORMAT,
      subjectId,
      exportedAt,
      position: head.position,
      hash: head.hash,
      proof: proven && {
        number: proven.number,
        root: proven.root,
        position: proven.proof.position,
      },
      file: unsignedHash(unsigned),
      story: storyHash(story),
      exhibits: Object.fromEntries(filed.map((exhibit) => [exhibit.name, exhibit.sha256])),
      unreadable: exhibits.filter(({ content }) => content === null).map(({ name }) => name),
    };
    return { ...unsigned, signature: await this.signer.sign(statement, 'audit-file+jws') };
  }

  /** Stable, so that a withheld document can be compared later. */
  private filed(
    subjectId: string,
    { content, ...exhibit }: Exhibit,
    withPersonalData: boolean,
  ): FiledExhibit {
    if (content === null)
      return this.filed(subjectId, { ...exhibit, ...UNREADABLE }, withPersonalData);
    const shown = content.toString(exhibit.encoding);
    if (!exhibit.isPersonal) return { ...exhibit, sha256: exhibitHash(content), content: shown };
    const { name } = exhibit;
    const identity = JSON.stringify([subjectId, name, exhibitHash(content)]);
    const salt = this.keyring.lookupHash(identity, 'audit_files.salt');
    const hash = exhibitHash(content, salt);
    return { ...exhibit, sha256: hash, ...(withPersonalData && { salt, content: shown }) };
  }
}
