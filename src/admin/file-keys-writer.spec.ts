import { describe, expect, it } from 'vitest';
import { type GivenKey, type KeptKey, planFileKeys } from './file-keys-writer.js';
import type { KeyFields } from './new-api-key.js';

const FIELDS: KeyFields = {
  name: 'main',
  secret: 'secret',
  scopes: ['leads:read'],
  products: ['ONLINE_GOLD'],
  minuteLimit: 120,
  dayLimit: 20_000,
  defaultChannel: 'API_HEADLESS',
  defaultProduct: 'ONLINE_PERSONAL',
  uniqueClientReferences: false,
};

function given(changes: Partial<GivenKey> = {}): GivenKey {
  return {
    path: 'partners[0].keys[0]',
    partnerId: 'demo',
    apiKey: 'key',
    keyHash: 'hash',
    status: 'ACTIVE',
    fields: FIELDS,
    ...changes,
  };
}

function kept(changes: Partial<KeptKey> = {}): KeptKey {
  return {
    id: 'key_1',
    partnerId: 'demo',
    keyHash: 'hash',
    origin: 'FILE',
    status: 'ACTIVE',
    statusOrigin: 'FILE',
    fields: FIELDS,
    ...changes,
  };
}

const NOTHING = { revoke: [], insert: [], update: [], problems: [] };

describe('planFileKeys', () => {
  it('does nothing for a key that is as the file has it, and inserts one that is new', () => {
    expect(planFileKeys([given()], [kept()])).toEqual(NOTHING);
    expect(planFileKeys([given()], [])).toEqual({ ...NOTHING, insert: [given()] });
  });

  it.each<Partial<KeyFields>>([
    { secret: 'other' },
    { scopes: ['leads:read', 'products:read'] },
    { products: [] },
    { minuteLimit: 1 },
    { dayLimit: 1 },
    { defaultChannel: 'API_HOSTED' },
    { defaultProduct: 'ONLINE_GOLD' },
  ])('updates a key when %j changes', (change) => {
    const key = given({ fields: { ...FIELDS, ...change } });
    const update = [{ id: 'key_1', isRenamed: false, status: 'ACTIVE', given: key }];
    expect(planFileKeys([key], [kept()])).toEqual({ ...NOTHING, update });
  });

  it('revokes a key that left the file, once, and lets it be used again when it is back', () => {
    expect(planFileKeys([], [kept()]).revoke).toEqual([kept()]);
    expect(planFileKeys([], [kept({ status: 'REVOKED' })])).toEqual(NOTHING);
    const [update] = planFileKeys([given()], [kept({ status: 'REVOKED' })]).update;
    expect(update).toMatchObject({ id: 'key_1', status: 'ACTIVE' });
  });

  it('never lifts what a command has decided', () => {
    for (const status of ['SUSPENDED', 'REVOKED'] as const) {
      const key = kept({ status, statusOrigin: 'COMMAND' });
      expect(planFileKeys([given()], [key])).toEqual(NOTHING);
      const changed = given({ fields: { ...FIELDS, minuteLimit: 5 } });
      expect(planFileKeys([changed], [key]).update[0]?.status).toBe(status);
    }
  });

  it('leaves the keys of commands alone', () => {
    expect(planFileKeys([], [kept({ origin: 'COMMAND', statusOrigin: 'COMMAND' })])).toEqual(
      NOTHING,
    );
  });

  it('refuses a key that is another partner’s, or a command’s', () => {
    const foreign = planFileKeys([given()], [kept({ partnerId: 'other' })]);
    expect(foreign.problems).toEqual([
      { field: 'partners[0].keys[0].apiKey', message: 'belongs to partner other' },
    ]);
    const issued = kept({ origin: 'COMMAND', fields: { ...FIELDS, name: 'by hand' } });
    expect(planFileKeys([given()], [issued]).problems.map(({ field }) => field)).toEqual([
      'partners[0].keys[0].apiKey',
    ]);
  });

  it('refuses the name of a command’s key, unless that is revoked or another partner’s', () => {
    const issued = { keyHash: 'another', origin: 'COMMAND', statusOrigin: 'COMMAND' } as const;
    expect(planFileKeys([given()], [kept(issued)]).problems.map(({ field }) => field)).toEqual([
      'partners[0].keys[0].name',
    ]);
    expect(planFileKeys([given()], [kept({ ...issued, status: 'REVOKED' })]).problems).toEqual([]);
    expect(planFileKeys([given()], [kept({ ...issued, partnerId: 'x' })]).problems).toEqual([]);
  });
});
