import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { field } from '../validation/schema-field.js';

/** The first address and the prefix length in bits. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

const NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);
const PRIVATE_RANGES = new Set(['private', 'carrierGradeNat', 'uniqueLocal', 'loopback']);
// The largest networks of one operator: 10.0.0.0/8, fc00::/7.
const WIDEST_IPV4_BITS = 8;
const WIDEST_IPV6_BITS = 16;
const WIDEST_LOCAL_IPV6_BITS = 7;
/** Express also trusts every IPv4 address that this range maps. */
const MAPPED_IPV4 = ipaddr.IPv6.parse('::ffff:0:0');
const MAPPED_IPV4_BITS = 96;

const parts = z.string().transform((text) => text.split(',').map((part) => part.trim()));

const proxies = parts.refine((all) => all.every((part) => NAMES.has(part) || networkOf(part)));

/** A number of proxies, or addresses, ranges and Express's three names. */
export const trustProxy = field(
  z.union([
    z.literal('false').transform(() => false as const),
    z.string().regex(/^\d$/).transform(Number),
    z.string().refine((text) => proxies.safeParse(text).success),
  ]),
  'must be the number of proxies (0 to 9), or addresses and ranges separated by commas ' +
    '(also loopback, linklocal, uniquelocal)',
).refine(
  (value) => typeof value !== 'string' || !parts.parse(value).some(isEverybody),
  'must name only your own proxies: a range wider than /8 (IPv6: /16) trusts every caller, who ' +
    'could then fake the address that limits count',
);

export const privateNetworks = field(
  parts.pipe(
    z.array(
      z
        .string()
        .transform(networkOf)
        .refine((network) => network !== null),
    ),
  ),
  'must be addresses and ranges separated by commas, such as 10.20.0.0/16 or 127.0.0.1',
).refine(
  (networks) => networks.every(isPrivate),
  'must name only private networks (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, ' +
    'fc00::/7, loopback): public addresses are always allowed',
);

function networkOf(text: string): Network | null {
  const isIPv4 = ipaddr.IPv4.isValidFourPartDecimal(text);
  if (isIPv4 || ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) {
    return ipaddr.IPv4.parseCIDR(isIPv4 ? `${text}/32` : text);
  }
  if (ipaddr.IPv6.isValid(text)) return ipaddr.IPv6.parseCIDR(`${text}/128`);
  return ipaddr.IPv6.isValidCIDR(text) ? ipaddr.IPv6.parseCIDR(text) : null;
}

function isEverybody(text: string): boolean {
  if (!text.includes('/')) return false;
  const [address, bits] = ipaddr.parseCIDR(text);
  if (address instanceof ipaddr.IPv4) return bits < WIDEST_IPV4_BITS;
  if (MAPPED_IPV4.match([address, Math.min(bits, MAPPED_IPV4_BITS)])) {
    return bits < MAPPED_IPV4_BITS + WIDEST_IPV4_BITS;
  }
  const isLocal = ['uniqueLocal', 'linkLocal'].includes(address.range());
  return bits < (isLocal ? WIDEST_LOCAL_IPV6_BITS : WIDEST_IPV6_BITS);
}

/** Private ranges have no gaps, so checking both ends suffices. */
function isPrivate([address, bits]: Network): boolean {
  const bytes = address.toByteArray();
  const end = (fill: number) =>
    ipaddr.fromByteArray(bytes.map((byte, index) => withoutHost(byte, bits - 8 * index, fill)));
  const range = end(0x00).range();
  return PRIVATE_RANGES.has(range) && end(0xff).range() === range;
}

function withoutHost(byte: number, networkBits: number, fill: number): number {
  const mask = 0xff >> Math.min(8, Math.max(0, networkBits));
  return (byte & ~mask) | (fill & mask);
}
