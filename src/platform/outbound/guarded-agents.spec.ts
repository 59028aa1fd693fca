import type { LookupAddress, LookupOptions } from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Exchange } from './exchange.js';
import { guardedAgents, guardedLookup, type NameResolver } from './guarded-agents.js';

const PUBLIC_4 = { address: '8.8.8.8', family: 4 };
const PUBLIC_6 = { address: '2606:4700:4700::1111', family: 6 };
const PRIVATE = { address: '10.0.0.1', family: 4 };

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

describe('a private address', () => {
  it('is not reached through a name that changes its answer', async () => {
    let posts = 0;
    const server = createServer((_, response) => {
      posts += 1;
      response.setHeader('connection', 'close').end();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    // A second look-up by the connection would lead to the metadata service.
    const answers = ['127.0.0.1', '169.254.169.254', '127.0.0.1'];
    let asked = 0;
    const { 'http:': agent } = guardedAgents({
      resolve: () => Promise.resolve([{ address: answers[asked++], family: 4 }]),
      rule: { allowLoopback: true },
      maxConnections: 1,
    });
    const post = async () => {
      const options = { host: 'rebind.example', port, method: 'POST', agent };
      const limits = { deadlineMs: 1_000, maxResponseBytes: 1 };
      return (await new Exchange(options, '', limits).answered).status;
    };
    expect(await post()).toBe(200);
    // One look-up per connection: it connects to the checked address.
    expect(asked).toBe(1);
    await expect(post()).rejects.toMatchObject({ reason: 'ADDRESS_REFUSED' });
    expect(await post()).toBe(200);
    expect([asked, posts]).toEqual([3, 2]);
    agent.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
