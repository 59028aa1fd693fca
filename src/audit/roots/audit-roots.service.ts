import { Injectable } from '@nestjs/common';
import { ClockDifference, Database, type Tx } from '../../platform/index.js';
import { AuditSigner, type RootStatement } from '../signed-statement.js';
import { AuditRootsRepository, type ListedRoot } from '../store/audit-roots.repository.js';
import type { AuditProof } from '../file/audit-file.js';
import { inclusionPath, leafHash, merkleRoot } from '../merkle-tree.js';
import { MAX_LEAVES } from './root-days.js';

interface ProofByRoot {
  readonly number: number;
  readonly root: string;
  readonly proof: AuditProof;
}

@Injectable()
export class AuditRoots {
  constructor(
    private readonly database: Database,
    private readonly roots: AuditRootsRepository,
    private readonly signer: AuditSigner,
    private readonly clock: ClockDifference,
  ) {}

  /**
   * Makes the next root up to the last whole day. @returns whether one was due
   * @throws Error when the clocks differ
   */
  async closeDay(): Promise<boolean> {
    await this.refuseWrongClock();
    return this.database.transaction(async (tx) => {
      const due = await this.roots.claimDay(tx, MAX_LEAVES);
      if (!due?.day) return false;
      const { day, signedAt } = due;
      const before = await this.roots.last(tx);
      const number = (before?.number ?? 0) + 1;
      const leaves = await this.roots.plant(tx, { number, day }, MAX_LEAVES);
      const root = merkleRoot(leaves.map(leafHash)).toString('hex');
      const treeSize = leaves.length;
      const previousRoot = before?.root ?? null;
      const statement: RootStatement = { number, day, treeSize, root, previousRoot, signedAt };
      const signedRoot = await this.signer.sign(statement, 'audit-root+jws');
      await this.roots.insert(tx, { number, day, treeSize, root, signedRoot, signedAt });
      return true;
    });
  }

  lateDay(tx: Tx): Promise<string | null> {
    return this.roots.lateDay(tx, MAX_LEAVES);
  }

  list(): Promise<ListedRoot[]> {
    return this.database.transaction((tx) => this.roots.list(tx));
  }

  /** Null before a tree has the subject's head. */
  async proofOf(tx: Tx, subjectId: string): Promise<ProofByRoot | null> {
    const leaf = await this.roots.lastLeafOf(tx, subjectId);
    const root = leaf && (await this.roots.find(tx, leaf.rootNumber));
    if (!leaf || !root) return null;
    const leaves = await this.roots.leavesOf(tx, leaf.rootNumber);
    const path = inclusionPath(leaves.map(leafHash), leaf.leafIndex);
    const proof = {
      signedRoot: root.signedRoot,
      position: leaves[leaf.leafIndex].position,
      leafIndex: leaf.leafIndex,
      path: path.map((hash) => hash.toString('hex')),
    };
    return { number: root.number, root: root.root, proof };
  }

  private async refuseWrongClock(): Promise<void> {
    await this.clock.measure();
    if (!this.clock.isUnfit) return;
    throw new Error(`No root is signed: this process's clock is ${this.clock.description}`);
  }
}
