import { isLocalName, isPrivateHost, refusedHost } from '../../platform/index.js';
import type { Deployment } from './deployment.js';

/** As much of a deployment as decides where it may call. */
export type Reach = Pick<Deployment, 'isLoopback' | 'privateNetworks'>;

/**
 * Why the service would refuse to call an address of the file; null when it would not, as far as the text
 * tells: a name is looked up at each call.
 */
export function addressProblem(
  { protocol, hostname }: URL,
  { isLoopback, privateNetworks }: Reach,
): string | null {
  if (protocol !== 'https:' && !isLoopback) return 'must be https';
  const isUnreached =
    refusedHost(hostname, { allowLoopback: isLoopback, privateNetworks }) ||
    // It can only lead into a network that nobody has named.
    (!isLoopback && privateNetworks.length === 0 && isLocalName(hostname));
  return isUnreached
    ? 'must be a public address, or one in a network that PRIVATE_NETWORKS names'
    : null;
}

/** Whether an address leads to a machine of the operator's own, by number and over TLS. */
export function isOwnMachine(address: string, { privateNetworks }: Reach): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && isPrivateHost(hostname, privateNetworks);
}
