import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import {
  type AddressRule,
  isLocalhost,
  LOOPBACK_ADDRESSES,
  refusedAddress,
} from './refused-address.js';
import { OutboundFailure } from './outbound-failure.js';

const QUERY_TIMEOUT_MS = 1_500;
const QUERY_TRIES = 2;

/** Empty when the name has none. */
export type NameResolver = (name: string) => Promise<LookupAddress[]>;

/** `dns.lookup` has four threads for the process: four unresponsive names would block every call. */
export function nameServerResolver(): NameResolver {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  return async (name) => {
    if (isLocalhost(name)) return LOOPBACK_ADDRESSES;
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(name),
      resolver.resolve6(name),
    ]);
    return [
      ...addresses(four).map((address) => ({ address, family: 4 })),
      ...addresses(six).map((address) => ({ address, family: 6 })),
    ];
  };
}

function addresses(settled: PromiseSettledResult<string[]>): string[] {
  return settled.status === 'fulfilled' ? settled.value : [];
}

/**
 * For `net.connect`: returns addresses only when all are allowed. The socket connects to the
 * checked address, so DNS rebinding gains nothing.
 */
export function guardedLookup(resolve: NameResolver, rule: AddressRule): LookupFunction {
  return (name, options, callback) => {
    resolve(name)
      .then((found) => {
        const usable = checked(found, rule).filter(
          ({ family }) => !options.family || family === Number(options.family),
        );
        const [first] = usable;
        if (!first) throw new OutboundFailure('NAME_NOT_FOUND');
        if (options.all) callback(null, usable);
        else callback(null, first.address, first.family);
      })
      .catch((error: unknown) => {
        const failure =
          error instanceof OutboundFailure
            ? error
            : new OutboundFailure('NAME_NOT_FOUND', { cause: error });
        callback(failure, '', 0);
      });
  };
}

/** One forbidden address refuses all. */
function checked(found: LookupAddress[], rule: AddressRule): LookupAddress[] {
  if (found.some(({ address }) => refusedAddress(address, rule))) {
    throw new OutboundFailure('ADDRESS_REFUSED');
  }
  return found;
}
