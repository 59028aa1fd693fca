import { type Environment, isLocalName, refusedHost } from '../../platform/index.js';

/** Where the service itself may call: an operator's own networks are its applicants', too. */
type Reach = Pick<Environment, 'isLoopback' | 'privateNetworks'>;

/**
 * Whether an applicant's browser may be sent to an address that a lender names: on https, and to no
 * host of whichever network the applicant is in.
 */
export function mayVisit(address: string, { isLoopback, privateNetworks }: Reach): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  // A developer's machine: lenders may be on it.
  if (isLoopback) return true;
  const { hostname, protocol } = url;
  return (
    protocol === 'https:' &&
    !refusedHost(hostname, { allowLoopback: false, privateNetworks }) &&
    (privateNetworks.length > 0 || !isLocalName(hostname))
  );
}
