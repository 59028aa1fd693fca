import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../platform/index.js';
import { AuditSigner } from '../audit-signer.js';
import type { RootStatement } from '../signed-statement.js';
import type { AuditRoot } from '../store/audit-root.entity.js';
import { AuditRootsRepository } from '../store/audit-roots.repository.js';
import { inclusionPath, leafHash, merkleRoot } from './merkle-tree.js';

/** A tree of more leaves would be too long for one transaction; what is left comes into the next one. */
const MAX_LEAVES = 50_000;

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
  ) {}

  /** Closes the last whole day, if that has not been done; whether there may be more to sign. */
  async closeDay(): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const day = await this.roots.claimDay(tx, MAX_LEAVES);
      if (day === null) return false;
      const before = await this.roots.last(tx);
      const number = (before?.number ?? 0) + 1;
      const leaves = await this.roots.plant(tx, { number, day }, MAX_LEAVES);
      const root = merkleRoot(leaves.map(leafHash)).toString('hex');
      const treeSize = leaves.length;
      const previousRoot = before?.root ?? null;
      const statement: RootStatement = { number, day, treeSize, root, previousRoot };
      const signedRoot = await this.signer.sign(statement, 'audit-root+jws');
      await this.roots.insert(tx, { number, day, treeSize, root, signedRoot });
      return treeSize === MAX_LEAVES;
    });
  }

  list(): Promise<AuditRoot[]> {
    return this.database.transaction((tx) => this.roots.list(tx));
  }

  /** Of the last tree that the subject's head stands in; null before there is one. */
  async proofOf(tx: Tx, subjectId: string): Promise<AuditProof | null> {
    const leaf = await this.roots.lastLeafOf(tx, subjectId);
    const root = leaf && (await this.roots.find(tx, leaf.rootNumber));
    if (!leaf || !root) return null;
    const leaves = await this.roots.leavesOf(tx, leaf.rootNumber);
    const path = inclusionPath(leaves.map(leafHash), leaf.leafIndex);
    return {
      signedRoot: root.signedRoot,
      position: leaves[leaf.leafIndex].position,
      leafIndex: leaf.leafIndex,
      path: path.map((hash) => hash.toString('hex')),
    };
  }
}
