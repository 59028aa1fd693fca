import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { guardedLookup, type NameResolver } from './guarded-lookup.js';
import { type CertificateDates, OutboundFailure } from './outbound-failure.js';
import { type AddressRule, refusedAddress } from './refused-address.js';

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 4_000;
/** Node's 250 ms abandons a distant IPv4 for an IPv6 that may be unreachable. */
const ONE_FAMILY_MS = 2_000;

/** For mutual TLS; both as PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/**
 * Called with the expiry date for each accepted new connection.
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
  /**
   * Called when a new connection is open. A request destroyed in it is not sent, and its connection
   * is kept.
   */
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
  // A resumed session shows no certificate.
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

/** Read before verification: after a refusal the socket has no certificate, and the error no date. */
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

/** Node returns "Bad time value" for a malformed date. */
function dateOf(text = ''): Date | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function guard<Agent extends HttpAgent>(agent: Agent, connected: string, rule: AddressRule): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options: GuardedRequestOptions, done) => {
    // Addresses need no look-up.
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
