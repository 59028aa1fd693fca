import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import { type AuditKey, AuditSigner } from '../audit-signer.js';
import type { ChainFault } from '../chain/check-chain.js';
import { type RootStatement, StatementCheck } from '../signed-statement.js';
import type { AuditRoot } from '../store/audit-root.entity.js';
import { AuditRootsRepository } from '../store/audit-roots.repository.js';
import { leafHash, merkleRoot } from './merkle-tree.js';

/** What somebody who may write the database cannot have changed. */
export interface FromElsewhere {
  /** The service's public keys; those in the database when left out. */
  readonly keys?: readonly AuditKey[];
  /** Signed roots that were kept. */
  readonly kept?: readonly string[];
}

/** Checks the roots: each is signed, follows the one before, and is that of the leaves that are kept. */
@Injectable()
export class RootVerification {
  constructor(
    private readonly roots: AuditRootsRepository,
    private readonly signer: AuditSigner,
  ) {}

  /** The first fault, if there is one: what comes after it follows from a wrong one. */
  async faults(tx: Tx, { keys, kept = [] }: FromElsewhere): Promise<ChainFault[]> {
    const check = new StatementCheck(keys ?? (await this.signer.keys()));
    const roots = await this.roots.list(tx);
    let previousRoot: string | null = null;
    for (const [index, root] of roots.entries()) {
      const what =
        root.number === index + 1
          ? ((await statementFault(check, root, previousRoot)) ??
            (await this.leavesFault(tx, root)))
          : `the root with the number ${index + 1} is missing`;
      if (what) return [rootFault(`root ${index + 1} of ${root.day}`, what)];
      previousRoot = root.root;
    }
    const there = new Set(roots.map(({ signedRoot }) => signedRoot));
    const gone = kept.findIndex((signedRoot) => !there.has(signedRoot));
    if (gone < 0) return [];
    return [
      rootFault(`kept root ${gone + 1}`, 'it is not, or not so, among those of the database'),
    ];
  }

  /** What is no proof of a change, but may come from one. */
  async warnings(tx: Tx): Promise<string[]> {
    const [first, ...more] = await this.roots.daysWithout(tx);
    if (first === undefined) return [];
    const others = more.length > 0 ? ` and ${more.length} more days` : '';
    return [`No root is there of ${first}${others}: none was made, or it was removed.`];
  }

  private async leavesFault(tx: Tx, { number, root }: AuditRoot): Promise<string | null> {
    const leaves = await this.roots.leavesOf(tx, number);
    const misplaced = leaves.findIndex(({ leafIndex }, index) => leafIndex !== index);
    if (misplaced >= 0) return `the leaf ${misplaced} is missing`;
    const made = merkleRoot(leaves.map(leafHash)).toString('hex');
    return made === root ? null : 'its leaves do not lead to it';
  }
}

async function statementFault(
  check: StatementCheck,
  { number, day, treeSize, root, signedRoot }: AuditRoot,
  previousRoot: string | null,
): Promise<string | null> {
  const signed = await check.read<RootStatement>(signedRoot, 'audit-root+jws');
  if (!signed) return 'none of the keys has signed it';
  const expected: RootStatement = { number, day, treeSize, root, previousRoot };
  const names = Object.keys(expected) as (keyof RootStatement)[];
  const differs = names.find((name) => signed[name] !== expected[name]);
  return differs ? `${differs} is not what was signed` : null;
}

function rootFault(subjectId: string, what: string): ChainFault {
  return { subjectId, position: null, row: null, what };
}
