import { expect, it } from 'vitest';
import { Keyring } from '../../platform/index.js';
import { DraftAddresses } from './draft-key-facts.controller.js';

it('a draft statement’s address is of one offer, amount and moment', () => {
  const addresses = new DraftAddresses(new Keyring([{ name: 'k', bytes: Buffer.alloc(32, 1) }]));
  const issuedAt = '2026-11-23T06:30:15.250Z';
  const signed = addresses.pathOf('off_1', 150_000_00, issuedAt).split('/').at(-1)!;
  const read = (offerId: string, amount: number, address: string) =>
    addresses.issueTimeIn(offerId, amount, address);
  expect(read('off_1', 150_000_00, signed)).toEqual(new Date(issuedAt));
  const [moment, mac] = signed.split('.');
  expect(read('off_2', 150_000_00, signed)).toBeNull();
  expect(read('off_1', 150_001_00, signed)).toBeNull();
  for (const forged of [
    moment,
    `${Number(moment) - 1}.${mac}`,
    `${moment}.${'A'.repeat(mac.length)}`,
  ])
    expect(read('off_1', 150_000_00, forged)).toBeNull();
});
