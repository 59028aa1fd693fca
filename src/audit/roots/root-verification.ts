import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import type { ChainFault } from '../chain/check-chain.js';
import {
  type AuditKey,
  AuditSigner,
  isAfterRetirement,
  type RootStatement,
  StatementCheck,
} from '../signed-statement.js';
import {
  AuditRootsRepository,
  type ExpectedRoots,
  type ListedRoot,
} from '../store/audit-roots.repository.js';
import { leafHash, merkleRoot } from '../merkle-tree.js';
import { beginningOf, DAY_MS, RootDays } from './audit-roots.service.js';

/** Kept outside the database, so that its writer cannot change it. */
export interface FromElsewhere {
  /** Default: those in the database. */
  readonly keys?: readonly AuditKey[];
  readonly kept?: readonly string[];
}

export interface CheckedRoots {
  readonly faults: readonly ChainFault[];
  readonly warnings: readonly string[];
  readonly days: RootDays;
}

/** Each root must be signed, follow its predecessor, and match its leaves. */
@Injectable()
export class RootVerification {
  constructor(
    private readonly roots: AuditRootsRepository,
    private readonly signer: AuditSigner,
  ) {}

  /** @param subjects limits the trees to theirs, and those with their newest entries */
  async check(
    tx: Tx,
    { keys, kept = [] }: FromElsewhere,
    subjects?: readonly string[],
  ): Promise<CheckedRoots> {
    const roots = await this.roots.list(tx);
    const days = new RootDays(roots);
    const concerned = subjects && (await this.roots.numbersOf(tx, subjects));
    const isRead = ({ number, signedAt }: ListedRoot) =>
      !concerned || concerned.has(number) || Date.parse(signedAt) >= days.notBefore();
    const expected = await this.roots.expected(tx);
    const foreign = keys ? [] : await this.signer.foreignKeys();
    const check = new StatementCheck(keys ?? (await this.signer.keys()));
    const broken = await this.firstBroken(tx, check, roots, isRead);
    const others = faultsOfDays(roots, expected);
    return {
      faults: [
        ...foreign.map(({ kid, why }) => rootFault(`the key ${kid}`, why)),
        // Later faults follow from the first.
        ...(broken ? [broken] : [...others, ...missingKept(roots, kept)]),
      ],
      warnings: [...entriesBefore(roots, expected), ...lateRoots(roots)],
      days,
    };
  }

  private async firstBroken(
    tx: Tx,
    check: StatementCheck,
    roots: readonly ListedRoot[],
    isRead: (root: ListedRoot) => boolean,
  ): Promise<ChainFault | null> {
    let previousRoot: string | null = null;
    for (const [index, root] of roots.entries()) {
      const what =
        root.number === index + 1
          ? ((await statementFault(check, root, previousRoot)) ??
            (isRead(root) ? await this.leavesFault(tx, root) : null))
          : `root ${index + 1} is missing`;
      if (what) return rootFault(`root ${index + 1} of ${root.day}`, what);
      previousRoot = root.root;
    }
    return null;
  }

  private async leavesFault(tx: Tx, { number, root }: ListedRoot): Promise<string | null> {
    const leaves = await this.roots.leavesOf(tx, number);
    const misplaced = leaves.findIndex(({ leafIndex }, index) => leafIndex !== index);
    if (misplaced >= 0) return `leaf ${misplaced} is missing`;
    const made = merkleRoot(leaves.map(leafHash)).toString('hex');
    return made === root ? null : 'its leaves do not hash to it';
  }
}

async function statementFault(
  check: StatementCheck,
  { number, day, treeSize, root, signedRoot, signedAt }: ListedRoot,
  previousRoot: string | null,
): Promise<string | null> {
  const signed = await check.read<RootStatement>(signedRoot, 'audit-root+jws');
  if (!signed) return 'it is not signed with any of the keys';
  const expected: RootStatement = { number, day, treeSize, root, previousRoot, signedAt };
  const names = Object.keys(expected) as (keyof RootStatement)[];
  const differs = names.find((name) => signed.says[name] !== expected[name]);
  if (differs) return `${differs} differs from the signed value`;
  const time = Date.parse(signedAt);
  if (!(time >= beginningOf(day) + DAY_MS)) return 'it was signed before its day was over';
  return isAfterRetirement(signed, time) ? 'its key was already retired' : null;
}

type Day = Pick<ListedRoot, 'number' | 'day'>;

/** A root for each day that is over, none for today. */
export function faultsOfDays(
  roots: readonly Day[],
  expected: Omit<ExpectedRoots, 'hasEntriesBefore'>,
): ChainFault[] {
  return [...missingDays(roots), ...lastRoot(roots, expected)];
}

function missingDays(roots: readonly Day[]): ChainFault[] {
  const index = roots.findIndex(
    ({ day }, place) => place > 0 && beginningOf(day) - beginningOf(roots[place - 1].day) > DAY_MS,
  );
  if (index < 0) return [];
  const missing = beginningOf(roots[index - 1].day) + 1.5 * DAY_MS;
  const day = new Date(missing).toISOString().slice(0, 10);
  return [rootFault(`the root of ${day}`, 'it is missing')];
}

function lastRoot(
  roots: readonly Day[],
  { today, hasOldEntries }: Omit<ExpectedRoots, 'hasEntriesBefore'>,
): ChainFault[] {
  const last = roots.at(-1);
  const why = 'later roots were removed, or none was signed';
  if (!last) return hasOldEntries ? [rootFault('the roots', `there are none: ${why}`)] : [];
  const name = `root ${last.number} of ${last.day}`;
  const age = beginningOf(today) - beginningOf(last.day);
  if (age <= 0)
    return [rootFault(name, 'its day is not over: the clock of the signing replica was ahead')];
  return age <= 2 * DAY_MS ? [] : [rootFault(name, `it is the last root: ${why}`)];
}

function missingKept(roots: readonly ListedRoot[], kept: readonly string[]): ChainFault[] {
  const there = new Set(roots.map(({ signedRoot }) => signedRoot));
  const gone = kept.findIndex((signedRoot) => !there.has(signedRoot));
  if (gone < 0) return [];
  const what = 'the database lacks it, or has another version of it';
  return [rootFault(`given root ${gone + 1}`, what)];
}

/** Unless earlier roots were removed, no entry is older than the first root. */
function entriesBefore(
  [first]: readonly ListedRoot[],
  { hasEntriesBefore }: ExpectedRoots,
): string[] {
  if (!first || !hasEntriesBefore) return [];
  return [
    `Warning: there are entries from before ${first.day}, the day of the first root. Either no replica ran then, or the roots ` +
      'were removed and signed again. Compare them with roots stored elsewhere.',
  ];
}

/** No replica ran, or an attacker made them later. */
function lateRoots(roots: readonly ListedRoot[]): string[] {
  const late = roots.filter(
    ({ day, signedAt }) => Date.parse(signedAt) - beginningOf(day) > 2 * DAY_MS,
  );
  const [first] = late;
  if (!first) return [];
  const { number, day, signedAt } = first;
  return [
    `Warning: ${late.length} roots were signed more than a day late, first root ${number} of ${day}, signed at ` +
      `${signedAt}. Either no replica ran, or they were removed and signed again. Compare them with roots stored elsewhere.`,
  ];
}

function rootFault(subjectId: string, what: string): ChainFault {
  return { subjectId, position: null, row: null, what };
}
