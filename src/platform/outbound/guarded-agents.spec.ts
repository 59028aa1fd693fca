import type { LookupAddress, LookupOptions } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { guardedLookup, type NameResolver } from './guarded-agents.js';

const PUBLIC_4 = { address: '8.8.8.8', family: 4 };
const PUBLIC_6 = { address: '2606:4700:4700::1111', family: 6 };
const PRIVATE = { address: '10.0.0.1', family: 4 };

/** What `net.connect` is told. */
function lookup(resolve: NameResolver, options: LookupOptions): Promise<unknown> {
  return new Promise((done, fail) => {
    guardedLookup(resolve, { allowLoopback: false })('example.com', options, (error, found) => {
      if (error) fail(error);
      else done(found);
    });
  });
}

function resolvesTo(...found: LookupAddress[]): NameResolver {
  return () => Promise.resolve(found);
}

describe('guardedLookup', () => {
  it('hands out every address, or the first one, as it is asked', async () => {
    const resolve = resolvesTo(PUBLIC_4, PUBLIC_6);
    expect(await lookup(resolve, { all: true })).toEqual([PUBLIC_4, PUBLIC_6]);
    expect(await lookup(resolve, {})).toBe('8.8.8.8');
    expect(await lookup(resolve, { family: 6 })).toBe('2606:4700:4700::1111');
  });

  it('refuses a name that leads to a private address, whatever else it leads to', async () => {
    await expect(lookup(resolvesTo(PRIVATE), { all: true })).rejects.toMatchObject({
      reason: 'ADDRESS_REFUSED',
    });
    await expect(lookup(resolvesTo(PUBLIC_4, PRIVATE), { all: true })).rejects.toMatchObject({
      reason: 'ADDRESS_REFUSED',
    });
    await expect(lookup(resolvesTo(PUBLIC_6, PRIVATE), { family: 6 })).rejects.toMatchObject({
      reason: 'ADDRESS_REFUSED',
    });
  });

  it('says when a name has no address', async () => {
    await expect(lookup(resolvesTo(), { all: true })).rejects.toMatchObject({
      reason: 'NAME_NOT_FOUND',
    });
    const broken = () => Promise.reject(new Error('no name server'));
    await expect(lookup(broken, {})).rejects.toMatchObject({ reason: 'NAME_NOT_FOUND' });
  });
});
