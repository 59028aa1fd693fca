import { CompactSign, exportJWK, generateKeyPair, type GenerateKeyPairResult } from 'jose';
import { beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../platform/index.js';
import { chainBeginning, nextHash } from '../audit-chain.js';
import { leafHash, merkleRoot } from '../merkle-tree.js';
import type { AuditKey, RootStatement } from '../signed-statement.js';
import { AUDIT_FILE_FORMAT, type AuditFile, unsignedHash } from './audit-file.js';
import { checkAuditFile } from './check-audit-file.js';

const SUBJECT = 'jrn_1';
const EXPORTED = '2026-11-25T06:00:00.000Z';

let pair: GenerateKeyPairResult;
let keys: AuditKey[];

beforeAll(async () => {
  pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'EdDSA' }];
});

function sign(says: object, typ: string): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(says)))
    .setProtectedHeader({ alg: 'EdDSA', kid: 'k1', typ })
    .sign(pair.privateKey);
}

/** Of entries at these times. */
function chainAt(...times: readonly string[]): AuditFile['entries'] {
  let hash = chainBeginning(SUBJECT);
  return times.map((at, index) => {
    const entry = JSON.stringify({ at, event: 'INSERT', source: 'later_table', row: { index } });
    hash = nextHash(hash, entry);
    return { position: index + 1, entry, hash: hash.toString('hex') };
  });
}

/** The root of a day's only head. */
async function rootOver(day: string, { position, hash }: AuditFile['entries'][number]) {
  const leaf = leafHash({ subjectId: SUBJECT, position, hash });
  const says: RootStatement = {
    number: Number(day.slice(-2)),
    day,
    treeSize: 1,
    root: merkleRoot([leaf]).toString('hex'),
    previousRoot: null,
    // 00:10 of the next day in India.
    signedAt: `${day}T18:40:00.000000Z`,
  };
  const signedRoot = await sign(says, 'audit-root+jws');
  return { says, signedRoot, position };
}

type Root = Awaited<ReturnType<typeof rootOver>>;

/** A file that is signed as the service signs it. */
async function fileWith(entries: AuditFile['entries'], root: Root | null, exportedAt = EXPORTED) {
  const proof = root && {
    signedRoot: root.signedRoot,
    position: root.position,
    leafIndex: 0,
    path: [],
  };
  const unsigned: Omit<AuditFile, 'signature'> = {
    format: AUDIT_FILE_FORMAT,
    subjectId: SUBJECT,
    story: [],
    entries,
    proof,
    exhibits: [],
  };
  const { position, hash } = entries.at(-1)!;
  const statement = {
    format: AUDIT_FILE_FORMAT,
    subjectId: SUBJECT,
    exportedAt,
    position,
    hash,
    proof: root && { number: root.says.number, root: root.says.root, position: root.position },
    file: unsignedHash(unsigned),
    story: sha256(''),
    exhibits: {},
    unreadable: [],
  };
  return { ...unsigned, signature: await sign(statement, 'audit-file+jws') };
}

async function faultsOf(file: AuditFile, ...kept: readonly Root[]): Promise<readonly string[]> {
  const lines = kept.map(({ signedRoot }) => signedRoot);
  return (await checkAuditFile(file, { keys, kept: lines, sources: [] })).faults;
}

it('an entry from before the given roots that the proof does not cover is named', async () => {
  const entries = chainAt('2026-11-21T06:00:00Z', '2026-11-22T06:00:00Z', '2026-11-24T06:00:00Z');
  const [first, second] = [
    await rootOver('2026-11-21', entries[0]),
    await rootOver('2026-11-22', entries[1]),
  ];
  const [empty, last] = [
    await rootOver('2026-11-23', entries[1]),
    await rootOver('2026-11-24', entries[2]),
  ];
  const uncovered = (entry: number) => [
    `jrn_1, entry ${entry}: the proof does not cover it, although the given roots include a later one.`,
  ];
  const whole = await fileWith(entries, last);
  expect(await faultsOf(whole, first, second, empty, last)).toEqual([]);
  // Written again after the second day, and signed with the service's key.
  expect(await faultsOf(await fileWith(entries, first), empty, first)).toEqual(uncovered(2));
  expect(await faultsOf(await fileWith(entries, null), empty)).toEqual(uncovered(1));
});

it('roots of the last day, and from after the export, ask for no proof', async () => {
  const entries = chainAt('2026-11-24T06:00:00Z');
  const later = await rootOver('2026-11-26', entries[0]);
  const ofDay = await rootOver('2026-11-24', entries[0]);
  expect(await faultsOf(await fileWith(entries, null), later, ofDay)).toEqual([]);
});
