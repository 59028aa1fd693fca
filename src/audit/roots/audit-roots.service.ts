import { Injectable } from '@nestjs/common';
import { ClockDifference, Database, type Tx } from '../../platform/index.js';
import { AuditSigner } from '../audit-signer.js';
import type { RootStatement } from '../signed-statement.js';
import { AuditRootsRepository, type ListedRoot } from '../store/audit-roots.repository.js';
import { inclusionPath, leafHash, merkleRoot } from './merkle-tree.js';
import { MAX_LEAVES } from './root-days.js';

/** The proof of a subject, and which root it is by. */
export interface ProofByRoot {
  readonly number: number;
  readonly root: string;
  readonly proof: AuditProof;
}

/** That the head of a chain stood in a tree whose root was signed. */
export interface AuditProof {
  readonly signedRoot: string;
  readonly position: number;
  readonly leafIndex: number;
  /** In hex, from the leaf's neighbour up. */
  readonly path: readonly string[];
}

/** Makes the roots, each day's once on whichever replica, and proves by them. */
@Injectable()
export class AuditRoots {
  constructor(
    private readonly database: Database,
    private readonly roots: AuditRootsRepository,
    private readonly signer: AuditSigner,
    private readonly clock: ClockDifference,
  ) {}

  /**
   * Makes the next root that is due, up to that of the last whole day; whether there was one.
   * @throws Error when the clocks differ, for a root says when it was signed; also when none is due
   */
  async closeDay(): Promise<boolean> {
    await this.refuseWrongClock();
    return this.database.transaction(async (tx) => {
      const due = await this.roots.claimDay(tx, MAX_LEAVES);
      if (due === null) return false;
      const { day, signedAt } = due;
      if (day === null) return false;
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

  /** A day that ended more than an hour ago and has no root yet; null when there is none. */
  lateDay(tx: Tx): Promise<string | null> {
    return this.roots.lateDay(tx, MAX_LEAVES);
  }

  list(): Promise<ListedRoot[]> {
    return this.database.transaction((tx) => this.roots.list(tx));
  }

  /** Of the last tree that the subject's head stands in; null before there is one. */
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
