import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { addressProblem } from './address-problem.js';

const PRIVATE = 'must not be a private address';
const NO_HTTPS = 'must be an https URL';
const IMPOSSIBLE = 'must have a valid host and port';
const PUBLIC = { isLoopback: false };
const LOCAL = { isLoopback: true };

describe('an address that others name', () => {
  it.each([
    'https://partner.example/hooks',
    'https://8.8.8.8/hooks',
    'https://ऋण.example/hooks',
    `https://partner.example/${'a'.repeat(2_048 - 24)}`,
  ])('may be %s', (url) => {
    expect(addressProblem(url, PUBLIC)).toBeNull();
  });

  it.each<[unknown, string]>([
    [undefined, NO_HTTPS],
    [7, NO_HTTPS],
    ['', NO_HTTPS],
    ['partner.example/hooks', NO_HTTPS],
    ['http://partner.example/hooks', NO_HTTPS],
    ['javascript:alert(1)', NO_HTTPS],
    ['https://user:secret@partner.example/', 'must not contain credentials'],
    ['https://partner.example/#part', 'must not contain a fragment'],
    ['https://partner.example/a b', 'must not contain blanks or control characters'],
    [`https://partner.example/${'a'.repeat(2_048)}`, 'must be at most 2048 characters'],
    ['https://a..example/', IMPOSSIBLE],
    ['https://partner.example:0/', IMPOSSIBLE],
    [`https://${'a'.repeat(64)}.example/`, IMPOSSIBLE],
    ['https://127.0.0.1/', PRIVATE],
    ['https://localhost/', PRIVATE],
    ['https://a.localhost./', PRIVATE],
    ['https://10.1.2.3/', PRIVATE],
    ['https://169.254.169.254/latest/meta-data', PRIVATE],
    ['https://2130706433/', PRIVATE],
    ['https://[::1]/', PRIVATE],
    ['https://[fd00::1]/', PRIVATE],
    ['https://router/', PRIVATE],
    ['https://gateway.internal./', PRIVATE],
  ])('may not be %j', (url, problem) => {
    expect(addressProblem(url, PUBLIC)).toBe(problem);
  });

  it.each([
    'http://localhost:4000/hooks',
    'http://127.0.0.1:4000/',
    'http://[::1]:4000/',
    'https://intranet/hooks',
  ])('may be %s on a developer’s machine', (url) => {
    expect(addressProblem(url, LOCAL)).toBeNull();
  });

  it.each(['https://10.0.0.1/', 'https://169.254.169.254/', 'https://[fd00::1]/'])(
    'may not be %s on a developer’s machine either',
    (url) => {
      expect(addressProblem(url, LOCAL)).toBe(PRIVATE);
    },
  );

  it.each(['http://partner.example/', 'http://8.8.8.8/', 'http://10.0.0.1/', 'http://router/'])(
    'may not be %s on a developer’s machine: http leads no further',
    (url) => {
      expect(addressProblem(url, LOCAL)).toBe(NO_HTTPS);
    },
  );

  it('may be in a network that the operator has named, and in no other', () => {
    const own = { ...PUBLIC, privateNetworks: [ipaddr.parseCIDR('10.1.0.0/16')] };
    expect(addressProblem('https://10.1.2.3/kyc', own)).toBeNull();
    expect(addressProblem('https://gateway.internal/kyc', own)).toBeNull();
    expect(addressProblem('https://10.2.0.1/kyc', own)).toContain('PRIVATE_NETWORKS');
    expect(addressProblem('http://10.1.2.3/kyc', own)).toBe(NO_HTTPS);
  });

  it('may have a fragment where it is for a browser', () => {
    const url = 'https://kyc.lender.example/session?a=1#b';
    expect(addressProblem(url, { ...PUBLIC, mayHaveFragment: true })).toBeNull();
  });
});
