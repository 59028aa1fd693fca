import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_GROUPS = 4;
/** Some proxies name the client's port, too; a client has a new one with each connection. */
const WITH_PORT = /^(?:\[(?<six>[^\]]+)\]|(?<four>[\d.]+)):\d+$/;

/**
 * What limits per client address are counted for: an IPv4 address, also where IPv6 carries it, and of
 * IPv6 the /64, all of which one subscriber has. What is not an address stands for itself.
 */
export function clientNetwork(address: string): string {
  // Most are, and to take one apart costs more than the rest of counting a call.
  if (isIPv4(address)) return address;
  const { six, four } = WITH_PORT.exec(address)?.groups ?? {};
  const host = six ?? four ?? address;
  if (!ipaddr.isValid(host)) return address;
  const parsed = ipaddr.process(host);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, IPV6_NETWORK_GROUPS);
  return groups.map((group) => group.toString(16)).join(':');
}
