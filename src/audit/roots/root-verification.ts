import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import { AuditSigner } from '../audit-signer.js';
import type { ChainFault } from '../chain/check-chain.js';
import { type RootStatement, StatementCheck } from '../signed-statement.js';
import type { AuditRoot } from '../store/audit-root.entity.js';
import { AuditRootsRepository } from '../store/audit-roots.repository.js';
import { leafHash, merkleRoot } from './merkle-tree.js';

/** Checks the roots: each is signed, follows the one before, and is that of the leaves that are kept. */
@Injectable()
export class RootVerification {
  constructor(
    private readonly roots: AuditRootsRepository,
    private readonly signer: AuditSigner,
  ) {}

  /** The first fault, if there is one: what comes after it follows from a wrong one. */
  async faults(tx: Tx): Promise<ChainFault[]> {
    const check = new StatementCheck(await this.signer.keys());
    let previousRoot: string | null = null;
    for (const [index, root] of (await this.roots.list(tx)).entries()) {
      const what =
        root.number === index + 1
          ? await this.faultOf(tx, check, root, previousRoot)
          : `the root with the number ${index + 1} is missing`;
      if (what) {
        return [{ subjectId: `root ${index + 1} of ${root.day}`, position: null, row: null, what }];
      }
      previousRoot = root.root;
    }
    return [];
  }

  private async faultOf(
    tx: Tx,
    check: StatementCheck,
    root: AuditRoot,
    previousRoot: string | null,
  ): Promise<string | null> {
    const { number, day, treeSize, signedRoot } = root;
    const signed = await check.read<RootStatement>(signedRoot, 'audit-root+jws');
    if (!signed) return 'no key of the service has signed it';
    const expected: RootStatement = { number, day, treeSize, root: root.root, previousRoot };
    const names = Object.keys(expected) as (keyof RootStatement)[];
    const differs = names.find((name) => signed[name] !== expected[name]);
    if (differs) return `${differs} is not what was signed`;
    const leaves = await this.roots.leavesOf(tx, number);
    const misplaced = leaves.findIndex(({ leafIndex }, index) => leafIndex !== index);
    if (misplaced >= 0) return `the leaf ${misplaced} is missing`;
    const made = merkleRoot(leaves.map(leafHash)).toString('hex');
    return made === root.root ? null : 'its leaves do not lead to it';
  }
}
