import type { AuditSource } from '../audit-source.js';
import { checkChain, type ChainFault, type LatestRows } from '../chain/check-chain.js';
import { readEntry } from '../audit-chain.js';
import { leafHash, rootOfPath } from '../merkle-tree.js';
import { RootDays } from '../roots/audit-roots.service.js';
import {
  type AuditKey,
  isAfterRetirement,
  type RootStatement,
  type Signed,
  StatementCheck,
} from '../signed-statement.js';
import {
  AuditFile,
  auditFileText,
  exhibitHash,
  type FiledExhibit,
  type FileStatement,
  type ProvenBy,
  storyHash,
  unsignedHash,
} from './audit-file.js';

export interface CheckedFile {
  readonly subjectId: string;
  readonly entries: number;
  readonly exportedAt: string | null;
  readonly proof: (ProvenBy & { readonly day: string }) | null;
  readonly withheld: readonly string[];
  readonly unknown: number;
  readonly faults: readonly string[];
}

/** Null unless the bytes are as written by the service. */
export function readAuditFile(bytes: Buffer): AuditFile | null {
  try {
    const read = AuditFile.safeParse(JSON.parse(bytes.toString('utf8')));
    // Parsing loses repeated members, order and spelling.
    return read.success && bytes.equals(Buffer.from(auditFileText(read.data))) ? read.data : null;
  } catch {
    return null;
  }
}

interface FileCheck {
  readonly keys: readonly AuditKey[];
  readonly kept?: readonly string[];
  readonly sources: readonly AuditSource[];
}

export async function checkAuditFile(
  file: AuditFile,
  { keys, kept, sources }: FileCheck,
): Promise<CheckedFile> {
  const check = new StatementCheck(keys);
  const signed = await check.read<FileStatement>(file.signature, 'audit-file+jws');
  const statement = signed?.says ?? null;
  const { subjectId, entries, proof } = file;
  const signedRoot = proof && (await check.read<RootStatement>(proof.signedRoot, 'audit-root+jws'));
  const root = signedRoot?.says ?? null;
  const chain = checkChain(
    {
      subjectId,
      entries,
      heads: statement ? [{ ...statement, where: 'the file’s signature' }] : [],
    },
    {
      byTable: new Map(sources.map((source) => [source.table, source])),
      now: new Date(0),
    },
  );
  const latest = 'latest' in chain ? chain.latest : null;
  const faults = [
    ...('latest' in chain ? [] : [faultText(chain)]),
    ...(signed ? statementFaults(file, signed) : ['The file is not signed with any of the keys.']),
    ...(statement ? provenFaults(file, statement, root) : []),
    ...(proof ? proofFaults(file, signedRoot, kept) : []),
    ...(statement && kept ? uncoveredFaults(file, statement, await rootsIn(kept, check)) : []),
    ...file.exhibits.flatMap((exhibit) => exhibitFaults(exhibit, latest)),
    ...(statement?.unreadable ?? []).map(
      (name) => `The document ${name} could not be decrypted during the export.`,
    ),
  ];
  return {
    subjectId,
    entries: entries.length,
    exportedAt: statement?.exportedAt ?? null,
    proof:
      root && proof
        ? { number: root.number, root: root.root, day: root.day, position: proof.position }
        : null,
    withheld: file.exhibits.filter(({ content }) => content === undefined).map(({ name }) => name),
    unknown: 'unknown' in chain ? chain.unknown : 0,
    faults,
  };
}

export function faultText({ subjectId, position, row, what }: ChainFault): string {
  const where = position === null ? '' : `, entry ${position}`;
  return `${subjectId}${where}${row === null ? '' : ` (${row})`}: ${what}.`;
}

function statementFaults(file: AuditFile, signed: Signed<FileStatement>): string[] {
  const { subjectId, entries, story, exhibits } = file;
  const statement = signed.says;
  const faults: string[] = [];
  if (isAfterRetirement(signed, Date.parse(statement.exportedAt))) {
    faults.push('The key that signed the file was already retired.');
  }
  const { signature: _, ...unsigned } = file;
  if (statement.file !== unsignedHash(unsigned)) {
    faults.push('The file was changed after it was signed.');
  }
  if (statement.subjectId !== subjectId) faults.push('The signature is of another subject.');
  if (entries.length > statement.position) {
    const row = `entry ${statement.position + 1}`;
    faults.push(`${subjectId}, ${row}: it was added to the file after signing.`);
  }
  if (storyHash(story) !== statement.story) faults.push('`story` is not the one that was signed.');
  const names = new Set([...exhibits.map(({ name }) => name), ...Object.keys(statement.exhibits)]);
  for (const name of names) {
    const hash = statement.exhibits[name];
    const found = exhibits.filter((exhibit) => exhibit.name === name);
    if (found.length === 1 && found[0].sha256 === hash) continue;
    faults.push(
      found.length === 0
        ? `The document ${name} is missing.`
        : `The document ${name} is not the one that was signed.`,
    );
  }
  return faults;
}

/** An attacker could otherwise replace the proof with an older one. */
function provenFaults(
  { proof }: AuditFile,
  { proof: proven }: FileStatement,
  root: RootStatement | null,
): string[] {
  if (!proof) return proven ? ['The proof was removed from the file.'] : [];
  const isSigned =
    proven?.position === proof.position &&
    proven.number === root?.number &&
    proven.root === root.root;
  return isSigned ? [] : ['The proof is not the one that was signed.'];
}

function proofFaults(
  { subjectId, entries, proof }: AuditFile,
  signed: Signed<RootStatement> | null,
  kept: readonly string[] | undefined,
): string[] {
  if (!proof) return [];
  if (!signed) return ['The root of the proof is not signed with any of the keys.'];
  const root = signed.says;
  if (kept && !kept.includes(proof.signedRoot)) {
    return [`Root ${root.number} of ${root.day} is not among the given roots.`];
  }
  if (isAfterRetirement(signed, Date.parse(root.signedAt))) {
    return ['The key that signed the root of the proof was already retired.'];
  }
  const head = entries[proof.position - 1];
  if (!head)
    return [`${subjectId}: the end is missing: the root covers ${proof.position} entries.`];
  const leaf = leafHash({ subjectId, position: proof.position, hash: head.hash });
  const path = proof.path.map((hash) => Buffer.from(hash, 'hex'));
  const reached = rootOfPath(leaf, proof.leafIndex, root.treeSize, path)?.toString('hex');
  if (reached === root.root) return [];
  return [
    `${subjectId}, entry ${proof.position}: it differs from the entry under the root of ${root.day}.`,
  ];
}

async function rootsIn(
  kept: readonly string[],
  check: StatementCheck,
): Promise<Signed<RootStatement>[]> {
  const read = kept.map((one) => check.read<RootStatement>(one, 'audit-root+jws'));
  return (await Promise.all(read)).filter((root) => root !== null);
}

/** The holder of the signing key could sign a rewritten loan without a proof, or with an older one. */
function uncoveredFaults(
  { subjectId, entries, proof }: AuditFile,
  { exportedAt }: FileStatement,
  kept: readonly Signed<RootStatement>[],
): string[] {
  const known = kept
    .filter((root) => !isAfterRetirement(root, Date.parse(root.says.signedAt)))
    .map(({ says }) => says)
    .filter(({ signedAt }) => Date.parse(signedAt) <= Date.parse(exportedAt))
    .toSorted((one, other) => one.number - other.number);
  const notBefore = new RootDays(known).notBefore();
  const found = entries
    .slice(proof?.position ?? 0)
    .find(({ entry }) => Date.parse(readEntry(entry)?.at ?? '') < notBefore);
  if (!found) return [];
  return [
    `${subjectId}, entry ${found.position}: the proof does not cover it, although the given roots include a later one.`,
  ];
}

function exhibitFaults(exhibit: FiledExhibit, latest: LatestRows | null): string[] {
  const { name, content, encoding, salt, provenBy } = exhibit;
  const faults: string[] = [];
  if (
    content !== undefined &&
    exhibitHash(Buffer.from(content, encoding), salt) !== exhibit.sha256
  ) {
    faults.push(`The document ${name} was changed.`);
  }
  if (provenBy && latest) {
    const { row, column, member } = provenBy;
    const said = latest.get(row)?.said.row[column];
    const proven = member === undefined ? said : (said as Record<string, unknown> | null)?.[member];
    if (proven !== exhibit.sha256) {
      faults.push(`The document ${name} does not have the hash that ${provenBy.row} records.`);
    }
  }
  return faults;
}
