import { describe, expect, it } from 'vitest';
import { type Durability, judgeDurability } from './durability.js';

const STANDBY = { name: 'node2', syncState: 'sync' };
const SAFE: Durability = {
  role: 'rinpath',
  synchronousCommit: 'on',
  fsync: 'on',
  fullPageWrites: 'on',
  standbyNames: '"node2"',
  followers: [STANDBY],
  seesFollowers: true,
};
const HIDDEN = [{ name: 'node2', syncState: null }];
const ALONE: Durability = { ...SAFE, standbyNames: '', followers: [] };

function lossesOf(seen: Partial<Durability>): readonly string[] {
  return judgeDurability({ ...SAFE, ...seen }).losses;
}

describe('a database that keeps what was answered', () => {
  it('has a synchronous standby, whether or not the role may see its state', () => {
    expect(judgeDurability(SAFE)).toEqual({ losses: [], notes: [] });
    const hidden = { ...SAFE, followers: HIDDEN, seesFollowers: false };
    expect(judgeDurability(hidden)).toEqual({ losses: [], notes: [] });
  });

  it.each(['on', 'remote_apply', 'remote_write'])('waits for it: %s', (synchronousCommit) => {
    expect(lossesOf({ synchronousCommit })).toEqual([]);
  });

  it('may be one server alone, which is noted', () => {
    expect(judgeDurability(ALONE).losses).toEqual([]);
    expect(judgeDurability(ALONE).notes).toEqual([expect.stringMatching(/has no standby/)]);
    // There is no standby to wait for.
    expect(lossesOf({ ...ALONE, synchronousCommit: 'local' })).toEqual([]);
  });
});

describe('a database that can lose what was answered', () => {
  it.each<[string, Partial<Durability>, RegExp]>([
    ['has a standby that nothing waits for', { standbyNames: '' }, /commits do not wait for node2/],
    [
      'says how to see more when the role cannot see the standbys',
      { standbyNames: '', followers: HIDDEN, seesFollowers: false },
      /GRANT pg_monitor TO rinpath;/,
    ],
    ['answers before the standby has a commit', { synchronousCommit: 'local' }, /is local/],
    ['answers before its own disk has it', { ...ALONE, synchronousCommit: 'off' }, /is off/],
    ['never waits for its disk', { fsync: 'off' }, /^fsync is off/],
  ])('%s', (_, seen, loss) => {
    expect(lossesOf(seen)).toEqual([expect.stringMatching(loss)]);
  });
});
