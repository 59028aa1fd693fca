import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { mayVisit } from './applicant-address.js';

const PUBLIC = { isLoopback: false, privateNetworks: [] };

describe('an address that a lender sends applicants to', () => {
  it.each([
    'https://kyc.lender.example/session?a=1#b',
    'https://lender.example:8443/',
    'https://93.184.216.34/kyc',
    'https://[2606:4700:4700::1111]/',
  ])('may be %s', (address) => {
    expect(mayVisit(address, PUBLIC)).toBe(true);
  });

  it.each([
    'http://lender.example/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.0.0.7/',
    'https://192.168.1.1/reboot',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'https://localhost/',
    'https://a.localhost./',
    'https://router/',
    'https://printer.local/',
    'https://gateway.internal./',
    'https://box.home.arpa/',
    'javascript:alert(1)',
    'nonsense',
  ])('is not %s in front of the public', (address) => {
    expect(mayVisit(address, PUBLIC)).toBe(false);
  });

  it('may be on the same machine where a developer works', () => {
    expect(mayVisit('http://127.0.0.1:4100/visits/1', { ...PUBLIC, isLoopback: true })).toBe(true);
  });

  it('may be in a network that the operator has named, and in no other', () => {
    const own = { ...PUBLIC, privateNetworks: [ipaddr.parseCIDR('10.1.0.0/16')] };
    expect(mayVisit('https://10.1.2.3/kyc', own)).toBe(true);
    expect(mayVisit('https://10.2.0.1/kyc', own)).toBe(false);
    expect(mayVisit('http://10.1.2.3/kyc', own)).toBe(false);
  });
});
