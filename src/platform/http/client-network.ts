import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_GROUPS = 4;

/**
 * What limits per client address are counted for: an IPv4 address, also where IPv6 carries it, and of
 * IPv6 the /64, all of which one subscriber has. What is no address stands for itself.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, IPV6_NETWORK_GROUPS);
  return groups.map((group) => group.toString(16)).join(':');
}
