import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type CertificateDates, OutboundFailure } from './outbound-failure.js';
import {
  type AddressRule,
  isLocalhost,
  LOOPBACK_ADDRESSES,
  refusedAddress,
} from './refused-address.js';

const QUERY_TIMEOUT_MS = 1_500;
const QUERY_TRIES = 2;

/** Empty when the name has none. */
export type NameResolver = (name: string) => Promise<LookupAddress[]>;

/** `dns.lookup` has four threads: four unresponsive names would block every call. */
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

/** The socket connects to the checked address, which prevents DNS rebinding. */
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

function checked(found: LookupAddress[], rule: AddressRule): LookupAddress[] {
  if (found.some(({ address }) => refusedAddress(address, rule))) {
    throw new OutboundFailure('ADDRESS_REFUSED');
  }
  return found;
}

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 4_000;
/** Node's 250 ms abandons a distant IPv4 for an IPv6 that may be unreachable. */
const ONE_FAMILY_MS = 2_000;

/** For mutual TLS, as PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/**
 * Called for each accepted new connection.
 * @param host with its port
 */
export type OnServerCertificate = (host: string, validTo: Date) => void;

interface GuardedAgentsOptions {
  readonly resolve: NameResolver;
  readonly rule: AddressRule;
  /** Per host. */
  readonly maxConnections: number;
  readonly certificate?: ClientCertificate;
  readonly onServerCertificate?: OnServerCertificate;
}

export interface GuardedRequestOptions extends ClientRequestArgs {
  /** If it destroys the request, nothing is sent and the connection is kept. */
  readonly onConnection?: () => void;
}

export interface GuardedAgents {
  readonly 'http:': HttpAgent;
  readonly 'https:': HttpsAgent;
}

export function guardedAgents(options: GuardedAgentsOptions): GuardedAgents {
  const { resolve, rule, maxConnections, certificate, onServerCertificate } = options;
  const settings = {
    keepAlive: true,
    timeout: KEEP_ALIVE_MS,
    maxSockets: maxConnections,
    maxFreeSockets: Number.POSITIVE_INFINITY,
    lookup: guardedLookup(resolve, rule),
    autoSelectFamilyAttemptTimeout: ONE_FAMILY_MS,
  };
  const { certificate: cert, privateKey: key } = certificate ?? {};
  // A resumed session has no certificate.
  const sessions = onServerCertificate && { maxCachedSessions: 0 };
  return {
    'http:': guard(new HttpAgent(settings), 'connect', rule),
    'https:': guard(
      withDates(new HttpsAgent({ ...settings, cert, key, ...sessions }), onServerCertificate),
      'secureConnect',
      rule,
    ),
  };
}

/** After a refusal the socket has no certificate and the error no date. */
function withDates(agent: HttpsAgent, onServerCertificate?: OnServerCertificate): HttpsAgent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options: ClientRequestArgs, done) => {
    const socket = connect(options, done);
    if (!(socket instanceof TLSSocket)) return socket;
    let dates: CertificateDates = {};
    socket.prependListener('secure', () => {
      dates = datesOf(socket);
    });
    socket.prependListener('secureConnect', () => {
      if (!socket.authorized || !dates.validTo) return;
      // An error thrown here would end the process.
      try {
        onServerCertificate?.(`${options.host}:${options.port}`, dates.validTo);
      } catch (error) {
        process.emitWarning(`A certificate's date could not be recorded: ${String(error)}`);
      }
    });
    socket.prependListener('error', (error) => Object.assign(error, { certificate: dates }));
    return socket;
  };
  return agent;
}

function datesOf(socket: TLSSocket): CertificateDates {
  const { valid_from: from, valid_to: to } = socket.getPeerCertificate() ?? {};
  return { validFrom: dateOf(from), validTo: dateOf(to) };
}

/** Undefined for a malformed date, which Node returns as "Bad time value". */
function dateOf(text = ''): Date | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function guard<Agent extends HttpAgent>(agent: Agent, connected: string, rule: AddressRule): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options: GuardedRequestOptions, done) => {
    if (isIP(options.host ?? '') !== 0 && refusedAddress(options.host!, rule)) {
      done?.(new OutboundFailure('ADDRESS_REFUSED'), null!);
      return null;
    }
    const socket = connect(options);
    const { onConnection } = options;
    if (!socket || !onConnection || !done) return socket;
    const timer = setTimeout(() => {
      socket.destroy(new OutboundFailure('TIMEOUT'));
    }, CONNECT_TIMEOUT_MS);
    socket.once('error', (error) => done(error, socket));
    socket.once('close', () => clearTimeout(timer));
    socket.once(connected, () => {
      clearTimeout(timer);
      onConnection();
      done(null, socket);
    });
    return null;
  };
  return agent;
}
