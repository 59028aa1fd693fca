import { once } from 'node:events';
import { connect, type LookupFunction } from 'node:net';
import { expect, it } from 'vitest';
import { messageOf } from './fault.js';

// A database at `localhost`, which most machines know by two addresses.
const lookup: LookupFunction = (_hostname, _options, found) =>
  found(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);

it('says of a name with two addresses what happened at each', async () => {
  const socket = connect({ host: 'localhost', port: 9, lookup });
  const [error] = (await once(socket, 'error').catch((failure: unknown) => [failure])) as [Error];
  expect(error).toBeInstanceOf(AggregateError);
  expect(messageOf(error)).toMatch(/^connect E\w+ 127\.0\.0\.1:9; connect E\w+ ::1:9/);
});

it('says of anything else what it says itself', () => {
  expect(messageOf(new Error('no'))).toBe('no');
  expect(messageOf(new AggregateError([new Error('no')], 'both failed'))).toBe('both failed');
  expect(messageOf('no')).toBe('no');
});
