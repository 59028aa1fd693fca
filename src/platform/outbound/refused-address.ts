import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Network } from '../config/private-networks.js';

export interface AddressRule {
  /** Whether 127.0.0.0/8 and ::1 may be reached: a developer's machine. */
  readonly allowLoopback: boolean;
  /** The operator's own, which may be reached, too. */
  readonly privateNetworks?: readonly Network[];
}

/**
 * Answered inside a cloud, and never by a lender: the metadata endpoints of Azure, which is public by its
 * number, and of Alibaba and AWS (IPv6), which an operator's private network may include. The others' lie
 * in ranges that are always refused.
 */
const METADATA = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254']);

/** Names that mean something else, or nothing, outside one network. */
const LOCAL_NAME = /^[^.]+\.?$|\.(local|localdomain|internal|intranet|lan|home\.arpa)\.?$/i;
const LOCALHOST = /^(.+\.)?localhost\.?$/i;
/** What `localhost` stands for; it is never asked of a name server (RFC 6761, section 6.3). */
export const LOOPBACK_ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

// What the registry calls global unicast; the rest of IPv6 is reserved or of local meaning.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Whether a name is one of this machine itself. */
export function isLocalhost(name: string): boolean {
  return LOCALHOST.test(name);
}

/**
 * Whether a host must not be connected to, as far as its text tells: other names than `localhost` are looked
 * up when they are connected to.
 * @param hostname as `URL` gives it, an IPv6 address in brackets
 */
export function refusedHost(hostname: string, rule: AddressRule): boolean {
  if (isLocalhost(hostname)) {
    return LOOPBACK_ADDRESSES.some(({ address }) => refusedAddress(address, rule));
  }
  const address = hostAddress(hostname);
  return address !== null && refusedAddress(address, rule);
}

/** Whether an address is on https, or on http on this machine while the service itself is on loopback. */
export function hasAllowedScheme({ protocol, hostname }: URL, isLoopback: boolean): boolean {
  if (protocol === 'https:') return true;
  return (
    protocol === 'http:' &&
    isLoopback &&
    refusedHost(hostname, { allowLoopback: false }) &&
    !refusedHost(hostname, { allowLoopback: true })
  );
}

/**
 * Whether a host is a name of some network's own, which leads nowhere from outside.
 * @param hostname as `URL` gives it, an IPv6 address in brackets
 */
export function isLocalName(hostname: string): boolean {
  return hostAddress(hostname) === null && LOCAL_NAME.test(hostname);
}

/** Whether a host is an address, no name, in one of these networks. */
export function isPrivateHost(hostname: string, privateNetworks: readonly Network[]): boolean {
  const address = hostAddress(hostname);
  return address !== null && isInPrivateNetwork(ipaddr.parse(address), { privateNetworks });
}

/** The address that a host is, without brackets; null when it is a name. */
export function hostAddress(hostname: string): string | null {
  const text = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(text) === 0 ? null : text;
}

/** Whether an address lies in a network that the operator has named, and is no metadata endpoint. */
function isInPrivateNetwork(
  address: ipaddr.IPv4 | ipaddr.IPv6,
  { privateNetworks = [] }: Pick<AddressRule, 'privateNetworks'>,
): boolean {
  if (METADATA.has(address.toString())) return false;
  return privateNetworks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
}

/**
 * Whether an address must not be connected to on a stranger's request. It allows what is known to
 * be public, and what the operator has named, and refuses all else, so that a range nobody thought of is refused, too. An IPv4 address
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
  if (isInPrivateNetwork(address, rule)) return false;
  const range = address.range();
  if (range === 'loopback') return !rule.allowLoopback;
  return range !== 'unicast' || METADATA.has(address.toString());
}

function isRefusedIPv6(address: ipaddr.IPv6, rule: AddressRule): boolean {
  // A zone names an interface of this machine, which no public address needs.
  if (address.zoneId) return true;
  if (isInPrivateNetwork(address, rule)) return false;
  const range = address.range();
  if (range === 'loopback') return !rule.allowLoopback;
  if (range === 'ipv4Mapped') return isRefusedIPv4(embeddedIPv4(address), rule);
  // Neither this machine's loopback nor its private networks are behind a translator.
  if (address.match(NAT64)) return isRefusedIPv4(embeddedIPv4(address), { allowLoopback: false });
  return range !== 'unicast' || !address.match(GLOBAL_UNICAST);
}

function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}
