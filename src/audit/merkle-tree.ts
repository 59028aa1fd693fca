import { createHash } from 'node:crypto';

// The prefixes distinguish leaves from nodes (RFC 9162, section 2.1.1).
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

export interface Head {
  readonly subjectId: string;
  readonly position: number;
  /** Hex. */
  readonly hash: string;
}

export function leafHash({ subjectId, position, hash }: Head): Buffer {
  return sha256(LEAF, Buffer.from(`${subjectId}\n${position}\n${hash}`));
}

/** RFC 9162, section 2.1.1; without leaves the hash of an empty text. */
export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  return leaves.length === 0 ? sha256() : subtree(leaves, 0, leaves.length);
}

/** RFC 9162, section 2.1.3.1: from the leaf's neighbour up. */
export function inclusionPath(leaves: readonly Buffer[], index: number): Buffer[] {
  const path: Buffer[] = [];
  let [from, to] = [0, leaves.length];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    const isLeft = index < middle;
    path.push(isLeft ? subtree(leaves, middle, to) : subtree(leaves, from, middle));
    [from, to] = isLeft ? [from, middle] : [middle, to];
  }
  return path.toReversed();
}

/** RFC 9162, section 2.1.3.2; null when the path does not fit the tree. */
export function rootOfPath(
  leaf: Buffer,
  index: number,
  treeSize: number,
  path: readonly Buffer[],
): Buffer | null {
  if (!(index >= 0 && index < treeSize)) return null;
  let [node, last, hash] = [index, treeSize - 1, leaf];
  for (const neighbour of path) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      hash = sha256(NODE, neighbour, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = sha256(NODE, hash, neighbour);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? hash : null;
}

function subtree(leaves: readonly Buffer[], from: number, to: number): Buffer {
  if (to - from === 1) return leaves[from];
  const middle = from + splitOf(to - from);
  return sha256(NODE, subtree(leaves, from, middle), subtree(leaves, middle, to));
}

function splitOf(size: number): number {
  return 2 ** (Math.ceil(Math.log2(size)) - 1);
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function sha256(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
