import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Network } from '../config/networks.js';

export interface AddressRule {
  /** 127.0.0.0/8 and ::1. */
  readonly allowLoopback: boolean;
  /** Configured by the operator. */
  readonly privateNetworks?: readonly Network[];
}

/**
 * Metadata endpoints (Azure; Alibaba; AWS IPv6) that a private network may include. Other clouds'
 * ranges are always refused.
 */
const METADATA = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254']);

/** Names with only a local meaning. */
const LOCAL_NAME = /^[^.]+\.?$|\.(local|localdomain|internal|intranet|lan|home\.arpa)\.?$/i;
const LOCALHOST = /^(.+\.)?localhost\.?$/i;
/** Name servers never resolve `localhost` (RFC 6761, section 6.3). */
export const LOOPBACK_ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

// All other IPv6 is reserved or local.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

export function isLocalhost(name: string): boolean {
  return LOCALHOST.test(name);
}

/**
 * Names are checked at connect.
 * @param hostname IPv6 in brackets
 */
export function refusedHost(hostname: string, rule: AddressRule): boolean {
  if (isLocalhost(hostname)) {
    return LOOPBACK_ADDRESSES.some(({ address }) => refusedAddress(address, rule));
  }
  const address = hostAddress(hostname);
  return address !== null && refusedAddress(address, rule);
}

/** https, or http to this machine while the service is on loopback. */
export function hasAllowedScheme({ protocol, hostname }: URL, isLoopback: boolean): boolean {
  if (protocol === 'https:') return true;
  return (
    protocol === 'http:' &&
    isLoopback &&
    refusedHost(hostname, { allowLoopback: false }) &&
    !refusedHost(hostname, { allowLoopback: true })
  );
}

export function isLocalName(hostname: string): boolean {
  return hostAddress(hostname) === null && LOCAL_NAME.test(hostname);
}

/** False for a name. */
export function isPrivateHost(hostname: string, privateNetworks: readonly Network[]): boolean {
  const address = hostAddress(hostname);
  return address !== null && isInPrivateNetwork(ipaddr.parse(address), { privateNetworks });
}

/** Without brackets; null for a name. */
export function hostAddress(hostname: string): string | null {
  const text = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(text) === 0 ? null : text;
}

/** False for a metadata endpoint. */
function isInPrivateNetwork(
  address: ipaddr.IPv4 | ipaddr.IPv6,
  { privateNetworks = [] }: Pick<AddressRule, 'privateNetworks'>,
): boolean {
  if (METADATA.has(address.toString())) return false;
  return privateNetworks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
}

/** IPv4 inside IPv6 (mapped, NAT64) is checked as IPv4. 6to4 and Teredo are refused: they use foreign relays. */
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
  // A zone names an interface of this machine.
  if (address.zoneId) return true;
  if (isInPrivateNetwork(address, rule)) return false;
  const range = address.range();
  if (range === 'loopback') return !rule.allowLoopback;
  if (range === 'ipv4Mapped') return isRefusedIPv4(embeddedIPv4(address), rule);
  // Loopback and private networks are never behind a translator.
  if (address.match(NAT64)) return isRefusedIPv4(embeddedIPv4(address), { allowLoopback: false });
  return range !== 'unicast' || !address.match(GLOBAL_UNICAST);
}

function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}
