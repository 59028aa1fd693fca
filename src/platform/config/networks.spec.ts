import { describe, expect, it } from 'vitest';
import { privateNetworks } from './networks.js';

function read(text: string) {
  const { data, error } = privateNetworks.safeParse(text);
  return (
    data?.map(([address, bits]) => `${address.toString()}/${bits}`) ?? error?.issues[0].message
  );
}

describe('the private networks that may be reached', () => {
  it.each([
    ['10.20.0.0/16', ['10.20.0.0/16']],
    ['127.0.0.1, ::1', ['127.0.0.1/32', '::1/128']],
    ['10.0.0.0/8,172.16.0.0/12,192.168.7.0/24', ['10.0.0.0/8', '172.16.0.0/12', '192.168.7.0/24']],
    ['100.64.0.0/10', ['100.64.0.0/10']],
    ['fc00::/7,fd12:3456::/32', ['fc00::/7', 'fd12:3456::/32']],
    ['10.1.2.3/9', ['10.1.2.3/9']],
  ])('%s', (text, networks) => {
    expect(read(text)).toEqual(networks);
  });

  it.each([
    '0.0.0.0/0',
    '::/0',
    '8.8.8.8',
    '172.16.0.0/11',
    '192.168.0.0/15',
    '169.254.0.0/16',
    '169.254.169.254',
    '168.63.129.16',
    'fe80::/10',
    '2001:db8::/32',
    '64:ff9b::a00:1',
    '::ffff:10.0.0.1',
    '10.0.0.0/8,8.8.8.8',
  ])('cannot be %s', (text) => {
    expect(read(text)).toContain('must name only private networks');
  });
});
