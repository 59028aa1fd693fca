import { describe, expect, it } from 'vitest';
import { callbackUrlProblem } from './callback-url-problem.js';

const PRIVATE = 'must not be a private address';

describe('callbackUrlProblem', () => {
  it.each([
    'https://partner.example/hooks',
    'https://partner.example:8443/hooks?tenant=1',
    'https://8.8.8.8/hooks',
    'https://[2606:4700:4700::1111]/hooks',
    'https://intranet/hooks',
    `https://partner.example/${'a'.repeat(2_048 - 24)}`,
  ])('takes %s', (url) => {
    expect(callbackUrlProblem(url, false)).toBeNull();
  });

  it.each<[unknown, string]>([
    [undefined, 'must be an https address'],
    [null, 'must be an https address'],
    [7, 'must be an https address'],
    ['', 'must be an https address'],
    ['partner.example/hooks', 'must be an https address'],
    ['http://partner.example/hooks', 'must be an https address'],
    ['ftp://partner.example/', 'must be an https address'],
    ['javascript:alert(1)', 'must be an https address'],
    ['https://', 'must be an https address'],
    ['https://user@partner.example/', 'must not contain credentials'],
    ['https://user:secret@partner.example/', 'must not contain credentials'],
    ['https://partner.example/#part', 'must not contain a fragment'],
    ['https://partner.example/#', 'must not contain a fragment'],
    ['https://partner.example/a b', 'must not contain blanks or control characters'],
    ['https://partner.example/\n', 'must not contain blanks or control characters'],
    [`https://partner.example/${'a'.repeat(2_048)}`, 'must be at most 2048 characters'],
    ['https://127.0.0.1/', PRIVATE],
    ['https://localhost/', PRIVATE],
    ['https://a.localhost./', PRIVATE],
    ['https://10.1.2.3/', PRIVATE],
    ['https://169.254.169.254/latest/meta-data', PRIVATE],
    ['https://2130706433/', PRIVATE],
    ['https://0x7f000001/', PRIVATE],
    ['https://0177.0.0.1/', PRIVATE],
    ['https://127.1/', PRIVATE],
    ['https://[::1]/', PRIVATE],
    ['https://[::ffff:10.0.0.1]/', PRIVATE],
    ['https://[fd00::1]/', PRIVATE],
    ['https://[64:ff9b::a00:1]/', PRIVATE],
  ])('refuses %j', (url, problem) => {
    expect(callbackUrlProblem(url, false)).toBe(problem);
  });

  it.each(['http://localhost:4000/hooks', 'http://127.0.0.1:4000/', 'http://[::1]:4000/'])(
    'takes %s on a developer’s machine',
    (url) => {
      expect(callbackUrlProblem(url, true)).toBeNull();
    },
  );

  it.each([
    'http://10.0.0.1/',
    'http://192.168.0.5/',
    'https://169.254.169.254/',
    'http://[fd00::1]/',
  ])('refuses %s on a developer’s machine too', (url) => {
    expect(callbackUrlProblem(url, true)).toBe(PRIVATE);
  });
});
