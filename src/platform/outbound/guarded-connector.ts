import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressRule, refusedAddress } from './refused-address.js';
import { guardedLookup, type NameResolver } from './guarded-lookup.js';
import { OutboundFailure } from './outbound-failure.js';

/** Shows a server who calls (mutual TLS); both as PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

interface ConnectorOptions {
  readonly resolve: NameResolver;
  readonly rule: AddressRule;
  readonly timeoutMs: number;
  readonly certificate?: ClientCertificate;
}

/** Opens the client's connections: to checked addresses alone, and with HTTP/1.1. */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(options.resolve, options.rule),
    timeout: options.timeoutMs,
    allowH2: false,
    cert: options.certificate?.certificate,
    key: options.certificate?.privateKey,
  });
  return (target, callback) => {
    // No look-up is made for a host that is an address already.
    if (isIP(target.hostname) !== 0 && refusedAddress(target.hostname, options.rule)) {
      callback(new OutboundFailure('ADDRESS_REFUSED'), null);
      return;
    }
    connect(target, callback);
  };
}
