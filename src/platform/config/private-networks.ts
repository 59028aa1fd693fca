import ipaddr from 'ipaddr.js';

/** The first address, and how many bits the range shares. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

const PRIVATE_RANGES = new Set(['private', 'carrierGradeNat', 'uniqueLocal', 'loopback']);

const FORM = 'must be addresses and ranges parted by commas, such as 10.20.0.0/16 or 127.0.0.1';
const NOT_PRIVATE =
  'must name private networks alone (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, ' +
  'fc00::/7, loopback): public addresses are reached anyway, and no others are';

export function privateNetworksOf(
  text: string | undefined,
): { readonly value: readonly Network[] } | { readonly problem: string } {
  if (!text) return { value: [] };
  const networks = text.split(',').map((part) => networkOf(part.trim()));
  const read = networks.filter((network) => network !== null);
  if (read.length < networks.length) return { problem: FORM };
  return read.every(isPrivate) ? { value: read } : { problem: NOT_PRIVATE };
}

function networkOf(text: string): Network | null {
  const isIPv4 = ipaddr.IPv4.isValidFourPartDecimal(text);
  if (isIPv4 || ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) {
    return ipaddr.IPv4.parseCIDR(isIPv4 ? `${text}/32` : text);
  }
  if (ipaddr.IPv6.isValid(text)) return ipaddr.IPv6.parseCIDR(`${text}/128`);
  return ipaddr.IPv6.isValidCIDR(text) ? ipaddr.IPv6.parseCIDR(text) : null;
}

/** These ranges have no holes, so the ends suffice. */
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
