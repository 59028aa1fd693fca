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

/** Finds a name's addresses; an empty list when it has none. */
export type NameResolver = (name: string) => Promise<LookupAddress[]>;

/**
 * Asks the name servers without Node's thread pool: `dns.lookup` has four threads for the whole
 * process, and four names whose servers are silent would stop every other call.
 */
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
 * A look-up for `net.connect` that hands out addresses only when every one of them may be reached.
 * It runs at connect time, and the socket goes to the very address that was checked, so a name that
 * changes its answer between a check and the connection gains nothing.
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

/** One address that must not be reached spoils them all: an honest name has none. */
function checked(found: LookupAddress[], rule: AddressRule): LookupAddress[] {
  if (found.some(({ address }) => refusedAddress(address, rule))) {
    throw new OutboundFailure('ADDRESS_REFUSED');
  }
  return found;
}
