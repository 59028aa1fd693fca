import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/tx.js';
import { takeInTurn } from './take-in-turn.js';

const database = {
  transaction: (work: (tx: Tx) => Promise<unknown>) => work({} as Tx),
} as unknown as Database;

let due: string[];
let taken: string[];
let failed: string[];

beforeEach(() => {
  [due, taken, failed] = [['a', 'b', 'c'], [], []];
});

/** @param broken items that fail: they stay due */
function pass(max: number, broken: string[] = []): Promise<void> {
  return takeInTurn(database, {
    max,
    claim: (_, passedOver) => {
      const id = due.find((one) => !passedOver.includes(one));
      return Promise.resolve(id === undefined ? null : { id });
    },
    work: (_, { id }) => {
      if (broken.includes(id)) return Promise.reject(new Error(`not ${id}`));
      due = due.filter((one) => one !== id);
      taken.push(id);
      return Promise.resolve();
    },
    onFailure: (error, { id }) => failed.push(`${id}: ${String(error)}`),
  });
}

describe('a pass over what is due', () => {
  it('takes one after the other until none is left, and no more than it may', async () => {
    await pass(2);
    expect(taken).toEqual(['a', 'b']);
    await pass(2);
    expect(taken).toEqual(['a', 'b', 'c']);
  });

  it('passes over one that fails, until the next pass', async () => {
    await pass(10, ['b']);
    expect(taken).toEqual(['a', 'c']);
    expect(failed).toEqual(['b: Error: not b']);
    await pass(10);
    expect(taken).toEqual(['a', 'c', 'b']);
  });
});
