import ipaddr from 'ipaddr.js';

export type TrustProxy = string | number | false;

const NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);
// The largest networks of one operator: 10.0.0.0/8, fc00::/7, a provider's own addresses.
const WIDEST_IPV4_BITS = 8;
const WIDEST_IPV6_BITS = 16;
const WIDEST_LOCAL_IPV6_BITS = 7;
/** Contains every IPv4 address again, which Express trusts as such. */
const MAPPED_IPV4 = ipaddr.IPv6.parse('::ffff:0:0');
const MAPPED_IPV4_BITS = 96;

const FORM =
  'must be a number of proxies from 0 to 9, or addresses and ranges parted by commas ' +
  '(also loopback, linklocal, uniquelocal)';
const TOO_WIDE =
  'must name your own proxies alone: a range wider than /8 (of IPv6 /16) believes everybody, who ' +
  'then chooses the address that limits are counted for';

/** The number of proxies, or addresses, ranges and Express's three names. */
export function trustProxyOf(
  text: string | undefined,
): { readonly value: TrustProxy } | { readonly problem: string } {
  if (!text || text === 'false') return { value: false };
  if (/^\d$/.test(text)) return { value: Number(text) };
  const parts = text.split(',').map((part) => part.trim());
  if (!parts.every(isProxy)) return { problem: FORM };
  return parts.some(isEverybody) ? { problem: TOO_WIDE } : { value: text };
}

function isProxy(text: string): boolean {
  return (
    NAMES.has(text) ||
    ipaddr.IPv4.isValidFourPartDecimal(text) ||
    ipaddr.IPv4.isValidCIDRFourPartDecimal(text) ||
    ipaddr.IPv6.isValid(text) ||
    ipaddr.IPv6.isValidCIDR(text)
  );
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
