import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { LenderCallMetrics } from '../../../src/lender-api/client/lender-call-metrics.js';
import { LenderCertificates } from '../../../src/lender-api/client/lender-certificates.js';
import { LenderHttp } from '../../../src/lender-api/client/lender-http.js';
import type { OperatorFlags } from '../../../src/operator-flags/index.js';
import {
  type Database,
  GuardedClient,
  Metrics,
  type SystemClock,
} from '../../../src/platform/index.js';
import type { ClientKeys, Lender, LenderCatalogue } from '../../../src/settings/index.js';
import {
  EXPIRED_CERTIFICATE,
  RENEWED_CERTIFICATE,
  SERVER_CERTIFICATE,
  type TestCertificate,
} from '../../support/test-certificates.js';

const LIMITS = { headers: {}, deadlineMs: 5_000, maxResponseBytes: 100 };
const trusted = tls.getCACertificates('default');
/** Lets a server with a new certificate accept TLS sessions of the earlier one. */
const ticketKeys = Buffer.alloc(48, 1);
let server: Server | undefined;
let client: Pick<GuardedClient, 'get' | 'close'> | undefined;

afterEach(async () => {
  tls.setDefaultCACertificates(trusted);
  await client?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

async function serve({ certificate: cert, privateKey: key }: TestCertificate): Promise<string> {
  // Each call opens a new connection.
  server = createServer({ cert, key, ticketKeys }, (_, response) =>
    response.setHeader('connection', 'close').end('Hello'),
  );
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `localhost:${(server.address() as AddressInfo).port}`;
}

function show({ certificate: cert, privateKey: key }: TestCertificate): void {
  server!.setSecureContext({ cert, key, ticketKeys });
}

function trust(...certificates: readonly TestCertificate[]): void {
  tls.setDefaultCACertificates([...trusted, ...certificates.map((one) => one.certificate)]);
}

describe('a server’s certificate', () => {
  const call = async (shown: TestCertificate, listener: (host: string, validTo: Date) => void) => {
    const host = await serve(shown);
    client = new GuardedClient(true, { onServerCertificate: listener });
    return client.get(`https://${host}/`, LIMITS);
  };

  it.each([
    ['untrusted', SERVER_CERTIFICATE],
    ['expired', EXPIRED_CERTIFICATE],
  ])('that is %s is not reported', async (_, shown) => {
    trust(EXPIRED_CERTIFICATE);
    const hosts: string[] = [];
    await expect(call(shown, (host) => hosts.push(host))).rejects.toMatchObject({ reason: 'TLS' });
    expect(hosts).toEqual([]);
  });
});

describe('the certificates of a lender', () => {
  it('are flagged by host 14 days before they expire, until a later one is seen', async () => {
    trust(SERVER_CERTIFICATE, RENEWED_CERTIFICATE);
    const host = await serve(SERVER_CERTIFICATE);
    const keyList = 'keys.lender.example:443';
    const lender = {
      code: 'one',
      clientKeySealed: null,
      remote: {
        address: `https://${host}/rlp`,
        keys: { kind: 'JWKS', address: 'https://keys.lender.example/jwks.json' },
        limits: { callsAtOnce: 2 },
      },
    } as unknown as Lender;
    const changes: unknown[] = [];
    const flags = {
      raise: (_: unknown, { cause, detail }: { cause: string[]; detail: { validTo: string } }) =>
        changes.push(['raised', ...cause, detail.validTo]),
      resolve: (_: unknown, { cause }: { cause: string }) => changes.push(['resolved', cause]),
    };
    let now = new Date('2126-10-01T00:00:00Z');
    const metrics = new LenderCallMetrics(new Metrics());
    const certificates = new LenderCertificates(
      metrics,
      flags as unknown as OperatorFlags,
      { transaction: (work: (tx: unknown) => unknown) => work(null) } as unknown as Database,
      { find: () => lender } as unknown as LenderCatalogue,
      { now: () => now } as SystemClock,
    );
    const http = new LenderHttp(
      {} as ClientKeys,
      { isLoopback: true, privateNetworks: [] },
      certificates,
    );
    client = http.clientOf(lender);
    const recorded = async () => {
      await certificates.check();
      const { values } = await metrics.certificateDaysLeft.get();
      return { changes: changes.splice(0), days: values.map(({ value }) => value) };
    };
    const call = () => client!.get(`https://${host}/`, LIMITS);

    await call();
    certificates.seen('one', keyList, new Date('2126-11-30T00:00:00Z'));
    certificates.seen('one', 'unused.lender.example:443', new Date('2126-10-02T00:00:00Z'));
    expect(await recorded()).toEqual({
      changes: [
        ['resolved', host],
        ['resolved', keyList],
      ],
      days: [28],
    });
    now = new Date('2126-10-16T00:00:00Z');
    const raised = ['raised', host, '2126-10-29T19:40:05.000Z'];
    expect(await recorded()).toEqual({ changes: [raised], days: [13] });
    expect(await recorded()).toEqual({ changes: [], days: [13] });
    show(RENEWED_CERTIFICATE);
    await call();
    expect(await recorded()).toEqual({ changes: [['resolved', host]], days: [45] });
  });
});
