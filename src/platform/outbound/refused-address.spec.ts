import { describe, expect, it } from 'vitest';
import { privateNetworks as read } from '../config/networks.js';
import { refusedAddress, refusedHost } from './refused-address.js';

const PUBLIC = [
  '8.8.8.8',
  '100.128.0.0',
  '172.32.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:830::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
];

const LOOPBACK = ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'];

const REFUSED: [string, string][] = [
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['169.254.0.1', 'link-local'],
  ['169.254.169.254', 'metadata of most clouds'],
  ['168.63.129.16', 'metadata of Azure'],
  ['100.100.100.200', 'metadata of Alibaba'],
  ['192.0.0.192', 'metadata of Oracle'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['0.0.0.0', 'this host'],
  ['192.0.2.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'this host'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['2606:4700:4700::1111%eth0', 'a zone'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'metadata of AWS over IPv6'],
  ['ff02::1', 'multicast'],
  ['::ffff:10.0.0.1', 'private, IPv4-mapped'],
  ['::ffff:a9fe:a9fe', 'metadata, IPv4-mapped in hex'],
  ['::10.0.0.1', 'IPv4-compatible'],
  ['::ffff:0:10.0.0.1', 'IPv4-translated'],
  ['64:ff9b::10.0.0.1', 'private behind NAT64'],
  ['64:ff9b::7f00:1', 'loopback behind NAT64'],
  ['64:ff9b:1::a00:1', 'local NAT64'],
  ['2002:a00:1::', '6to4'],
  ['2001::1', 'Teredo'],
  ['2001:db8::1', 'documentation'],
  ['4000::1', 'not assigned'],
  ['', 'no address'],
  ['example.com', 'no address'],
];

describe('refusedAddress', () => {
  it.each(PUBLIC)('lets the public address %s pass', (ip) => {
    expect(refusedAddress(ip, { allowLoopback: false })).toBe(false);
  });

  it.each(REFUSED)('refuses %s (%s), on a developer’s machine too', (ip) => {
    expect(refusedAddress(ip, { allowLoopback: false })).toBe(true);
    expect(refusedAddress(ip, { allowLoopback: true })).toBe(true);
  });

  it.each(LOOPBACK)('lets the loopback address %s pass on a developer’s machine alone', (ip) => {
    expect(refusedAddress(ip, { allowLoopback: false })).toBe(true);
    expect(refusedAddress(ip, { allowLoopback: true })).toBe(false);
  });
});

describe('the operator’s private networks', () => {
  const privateNetworks = read.parse('10.20.0.0/16, 100.64.0.0/10, fd00::/8, 127.0.0.1, ::1');
  const rule = { allowLoopback: false, privateNetworks };

  it.each(['10.20.255.1', '100.64.0.1', 'fd00::7', '127.0.0.1', '::ffff:10.20.0.1', '8.8.8.8'])(
    'let %s pass',
    (ip) => {
      expect(refusedAddress(ip, rule)).toBe(false);
    },
  );

  it.each([
    ['10.21.0.1', 'private, another network'],
    ['127.0.0.2', 'loopback, another address'],
    ['169.254.169.254', 'metadata of most clouds'],
    ['100.100.100.200', 'metadata of Alibaba, in a network that was named'],
    ['fd00:ec2::254', 'metadata of AWS over IPv6, in a network that was named'],
    ['fd00::7%eth0', 'a zone'],
    ['64:ff9b::10.20.0.1', 'behind NAT64'],
    ['192.168.1.1', 'private'],
  ])('leave %s (%s) refused', (ip) => {
    expect(refusedAddress(ip, rule)).toBe(true);
  });

  it('let a host pass by the addresses that it resolves to', () => {
    expect(refusedHost('10.20.0.1', rule)).toBe(false);
    expect(refusedHost('[fd00::7]', rule)).toBe(false);
    expect(refusedHost('[fd00:ec2::254]', rule)).toBe(true);
    // The connection checks the address of a name.
    expect(refusedHost('lender.internal', rule)).toBe(false);
  });
});
