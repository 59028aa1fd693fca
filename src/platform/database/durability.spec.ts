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

function notesOf(seen: Partial<Durability>): readonly string[] {
  return judgeDurability({ ...SAFE, ...seen }).notes;
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
    // Nobody is there to wait for.
    expect(lossesOf({ ...ALONE, synchronousCommit: 'local' })).toEqual([]);
  });

  it('is noted to wait where nobody that it names is connected', () => {
    expect(notesOf({ followers: [] })).toEqual([expect.stringMatching(/commits wait/)]);
    const asynchronous = [{ name: 'node3', syncState: 'async' }];
    expect(notesOf({ followers: asynchronous })).toEqual([expect.stringMatching(/commits wait/)]);
    expect(notesOf({ followers: [{ name: 'node2', syncState: 'quorum' }] })).toEqual([]);
    expect(notesOf({ followers: HIDDEN, seesFollowers: false })).toEqual([]);
  });
});

describe('a database that can lose what was answered', () => {
  it('has a standby that nobody waits for', () => {
    const [loss, ...others] = lossesOf({ standbyNames: '' });
    expect(others).toEqual([]);
    expect(loss).toMatch(/nobody waits for node2/);
    expect(loss).not.toContain('GRANT');
  });

  it('is told with how to see more, where the role does not see who follows', () => {
    const hidden = { standbyNames: '', followers: HIDDEN, seesFollowers: false };
    expect(lossesOf(hidden)).toEqual([expect.stringContaining('GRANT pg_monitor TO rinpath;')]);
  });

  it('answers before the standby, or before its own disk, has a commit', () => {
    expect(lossesOf({ synchronousCommit: 'local' })).toEqual([expect.stringMatching(/is local/)]);
    expect(lossesOf({ synchronousCommit: 'off' })).toEqual([expect.stringMatching(/is off/)]);
    expect(lossesOf({ ...ALONE, synchronousCommit: 'off' })).toHaveLength(1);
  });

  it('never waits for its disk', () => {
    expect(lossesOf({ fsync: 'off' })).toEqual([expect.stringMatching(/^fsync is off/)]);
    expect(notesOf({ fullPageWrites: 'off' })).toEqual([expect.stringMatching(/full_page_writes/)]);
  });
});
