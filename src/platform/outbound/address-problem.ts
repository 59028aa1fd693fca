import { isFQDN } from 'class-validator';
import type { Network } from '../config/networks.js';
import { hasAllowedScheme, hostAddress, isLocalName, refusedHost } from './refused-address.js';

export interface Reach {
  readonly isLoopback: boolean;
  readonly privateNetworks?: readonly Network[];
  readonly mayHaveFragment?: boolean;
}

export const MAX_ADDRESS_CHARACTERS = 2_048;
const MAX_HOST_CHARACTERS = 253;
const NOT_HTTPS = 'must be an https URL';
// The URL parser silently drops some of these.
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u;
const HOST_NAME = { require_tld: false, allow_underscores: true, allow_trailing_dot: true };

/** Null for an allowed address. Names are resolved only at connect. */
export function addressProblem(text: unknown, reach: Reach): string | null {
  const { isLoopback, privateNetworks } = reach;
  if (typeof text !== 'string' || text === '') return NOT_HTTPS;
  if (text.length > MAX_ADDRESS_CHARACTERS)
    return `must be at most ${MAX_ADDRESS_CHARACTERS} characters`;
  if (BLANK_OR_CONTROL.test(text)) return 'must not contain blanks or control characters';
  const url = URL.parse(text);
  if (!url || !hasAllowedScheme(url, isLoopback)) return NOT_HTTPS;
  if (url.username || url.password) return 'must not contain credentials';
  if (!reach.mayHaveFragment && text.includes('#')) return 'must not contain a fragment';
  if (!canExist(url)) return 'must have a valid host and port';
  const isRefused =
    refusedHost(url.hostname, { allowLoopback: isLoopback, privateNetworks }) ||
    // Leads only into a network that the operator did not list.
    (!isLoopback && !privateNetworks?.length && isLocalName(url.hostname));
  if (!isRefused) return null;
  return privateNetworks
    ? 'must be a public address, or one in a network that PRIVATE_NETWORKS names'
    : 'must not be a private address';
}

export function canExist({ hostname, port }: URL): boolean {
  const isHost = hostAddress(hostname) !== null || isHostName(hostname);
  return isHost && port !== '0';
}

function isHostName(hostname: string): boolean {
  return hostname.length <= MAX_HOST_CHARACTERS && isFQDN(hostname, HOST_NAME);
}
