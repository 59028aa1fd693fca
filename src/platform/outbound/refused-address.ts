import ipaddr from 'ipaddr.js';

export interface AddressRule {
  /** Whether 127.0.0.0/8 and ::1 may be reached: a developer's machine. */
  readonly allowLoopback: boolean;
}

/**
 * Public by its number, but answered inside a cloud: the metadata and agent endpoint of Azure. The
 * others' metadata addresses lie in ranges that are refused anyway.
 */
const METADATA = new Set(['168.63.129.16']);

// What the registry calls global unicast; the rest of IPv6 is reserved or of local meaning.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether an address must not be connected to on a stranger's request. It allows what is known to
 * be public and refuses all else, so that a range nobody thought of is refused, too. An IPv4 address
 * inside an IPv6 one (IPv4-mapped; NAT64, which an IPv6-only network uses for every IPv4 host) is
 * judged by itself; 6to4 and Teredo, which lead through somebody's relay, are refused.
 *
 * @param ip an address in text, as a resolver or `URL` gives it, without brackets
 */
export function refusedAddress(ip: string, rule: AddressRule): boolean {
  if (!ipaddr.isValid(ip)) return true;
  const address = ipaddr.parse(ip);
  return address.kind() === 'ipv4'
    ? isRefusedIPv4(address as ipaddr.IPv4, rule)
    : isRefusedIPv6(address as ipaddr.IPv6, rule);
}

function isRefusedIPv4(address: ipaddr.IPv4, rule: AddressRule): boolean {
  const range = address.range();
  if (range === 'loopback') return !rule.allowLoopback;
  return range !== 'unicast' || METADATA.has(address.toString());
}

function isRefusedIPv6(address: ipaddr.IPv6, rule: AddressRule): boolean {
  // A zone names an interface of this machine, which no public address needs.
  if (address.zoneId) return true;
  const range = address.range();
  if (range === 'loopback') return !rule.allowLoopback;
  if (range === 'ipv4Mapped') return isRefusedIPv4(embeddedIPv4(address), rule);
  // This machine's loopback is never behind a translator.
  if (address.match(NAT64)) return isRefusedIPv4(embeddedIPv4(address), { allowLoopback: false });
  return range !== 'unicast' || !address.match(GLOBAL_UNICAST);
}

function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}
