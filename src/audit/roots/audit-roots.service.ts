import { Injectable } from '@nestjs/common';
import { NO_PARTNER, OperatorFlags } from '../../operator-flags/index.js';
import { ClockDifference, Database, ScheduledTask, type Tx } from '../../platform/index.js';
import type { AuditProof } from '../file/audit-file.js';
import { inclusionPath, leafHash, merkleRoot } from '../merkle-tree.js';
import { AuditSigner, type RootStatement } from '../signed-statement.js';
import type { AuditRoot } from '../store/audit.entity.js';
import { AuditRootsRepository, type ListedRoot } from '../store/audit-roots.repository.js';

/** Limits one transaction; the next tree continues. */
const MAX_LEAVES = 50_000;

export const DAY_MS = 86_400_000;

/** Midnight in India. */
export function beginningOf(day: string): number {
  return Date.parse(`${day}T00:00:00+05:30`);
}

/** A root covers entries since the last closed day began; earlier roots cover older ones. */
export class RootDays {
  private readonly byNumber = new Map<number, number>();
  private last = Number.NEGATIVE_INFINITY;

  /** @param roots oldest first */
  constructor(roots: readonly Pick<AuditRoot, 'number' | 'day' | 'treeSize'>[]) {
    for (const { number, day, treeSize } of roots) {
      this.byNumber.set(number, this.last);
      if (treeSize < MAX_LEAVES) this.last = beginningOf(day);
    }
  }

  /** Earliest time of entries that this root covers first; without a number, of uncovered entries. */
  notBefore(number?: number): number {
    return number === undefined ? this.last : (this.byNumber.get(number) ?? this.last);
  }
}

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
   * @returns whether a root was due
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

  /** Null until a tree has the subject's head. */
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
    throw new Error(
      `No audit root is signed: set this host's clock, it is ${this.clock.description}`,
    );
  }
}

const ROOT_EVERY_MS = 10 * 60_000;
const NOT_CLOSED = { subjectId: 'audit', kind: 'AUDIT_NOT_CLOSED' } as const;

@Injectable()
export class AuditTasks {
  constructor(
    private readonly database: Database,
    private readonly roots: AuditRoots,
    private readonly flags: OperatorFlags,
  ) {}

  @ScheduledTask('audit-root', ROOT_EVERY_MS)
  async closeDay(): Promise<void> {
    try {
      while (await this.roots.closeDay());
      await this.database.transaction(async (tx) => {
        // Another replica may be signing, and may fail.
        if ((await this.roots.lateDay(tx)) === null) await this.flags.resolve(tx, NOT_CLOSED, {});
      });
    } catch (error) {
      await this.database.transaction((tx) => this.flag(tx));
      throw error;
    }
  }

  private async flag(tx: Tx): Promise<void> {
    const day = await this.roots.lateDay(tx);
    if (day === null) return;
    await this.flags.raise(tx, {
      ...NOT_CLOSED,
      partnerId: NO_PARTNER,
      cause: [],
      detail: { day },
    });
  }
}
