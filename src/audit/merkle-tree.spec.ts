import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inclusionPath, leafHash, merkleRoot, rootOfPath } from './merkle-tree.js';

const sha256 = (...parts: Buffer[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const leaf = (text: string) => sha256(Buffer.of(0), Buffer.from(text, 'hex'));
const heads = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    leafHash({ subjectId: `jrn_${index}`, position: index + 1, hash: 'ab' }),
  );

describe('the Merkle tree', () => {
  it('has the roots of the test vectors of Certificate Transparency', () => {
    const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];
    const last = '606162636465666768696a6b6c6d6e6f';
    const root = (texts: readonly string[]) => merkleRoot(texts.map(leaf)).toString('hex');
    expect(root([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(root(inputs.slice(0, 1))).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
    expect(root(inputs.slice(0, 2))).toBe(
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    );
    expect(root(inputs.slice(0, 3))).toBe(
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    );
    expect(root([...inputs, last])).toBe(
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    );
  });

  it('proves each leaf of a tree of any size, and no other one', () => {
    for (let size = 1; size <= 33; size += 1) {
      const leaves = heads(size);
      const root = merkleRoot(leaves);
      for (const [index, one] of leaves.entries()) {
        const path = inclusionPath(leaves, index);
        expect(rootOfPath(one, index, size, path)).toEqual(root);
        const other = leaves[(index + 1) % size];
        expect(rootOfPath(other, index, size, path)?.equals(root)).toBe(size === 1);
        expect(rootOfPath(one, index, size, [...path, one])).toBeNull();
        const short = rootOfPath(one, index, size, path.slice(1));
        expect(short?.equals(root) ?? false).toBe(size === 1);
      }
    }
    expect(rootOfPath(heads(1)[0], 1, 1, [])).toBeNull();
  });
});
