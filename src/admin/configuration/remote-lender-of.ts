import type { RemoteLender } from '../../settings/index.js';
import type { RemoteSection } from './remote-section.js';

const CALLS_PER_SECOND = 20;
const CALLS_AT_ONCE = 32;

/** How a lender is reached, as the service keeps it; without the private key, which is sealed apart. */
export function remoteLenderOf(section: RemoteSection): RemoteLender {
  const { address, keys, jwks, limits, covers, tls } = section;
  return {
    // As the lender reads it in its own requests: the signature covers it.
    address: new URL(address).href.replace(/\/+$/, ''),
    keys:
      jwks === undefined ? { kind: 'PINNED', keys: keys ?? [] } : { kind: 'JWKS', address: jwks },
    limits: {
      callsPerSecond: limits?.callsPerSecond ?? CALLS_PER_SECOND,
      callsAtOnce: limits?.callsAtOnce ?? CALLS_AT_ONCE,
    },
    covers: covers ?? null,
    certificate: tls?.certificate ?? null,
  };
}
