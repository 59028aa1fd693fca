import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import ipaddr from 'ipaddr.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LenderCallMetrics } from '../../../src/lender-api/client/lender-call-metrics.js';
import { LenderCertificates } from '../../../src/lender-api/client/lender-certificates.js';
import { LenderHttp } from '../../../src/lender-api/client/lender-http.js';
import type { OperatorFlags } from '../../../src/operator-flags/index.js';
import {
  type Database,
  type Environment,
  type GuardedClient,
  Metrics,
  OutboundClient,
  type SystemClock,
} from '../../../src/platform/index.js';
import type { ClientKeys, Lender, LenderCatalogue } from '../../../src/settings/index.js';
import {
  RENEWED_CERTIFICATE,
  SERVER_CERTIFICATE,
  type TestCertificate,
} from '../../support/test-certificates.js';

const LIMITS = { headers: {}, deadlineMs: 5_000, maxResponseBytes: 100 };
const trusted = tls.getCACertificates('default');
/** With fixed ticket keys, a server with another certificate still accepts earlier sessions. */
const ticketKeys = Buffer.alloc(48, 1);
let server: Server;
let host: string;
let client: Pick<GuardedClient, 'get' | 'close'> | undefined;

const shown = ({ certificate: cert, privateKey: key }: TestCertificate) => ({
  cert,
  key,
  ticketKeys,
});

beforeEach(async () => {
  // Every call needs a new connection.
  server = createServer(shown(SERVER_CERTIFICATE), (_, response) =>
    response.setHeader('connection', 'close').end('here'),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  host = `localhost:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  tls.setDefaultCACertificates(trusted);
  await client?.close();
  server.closeAllConnections();
  server.close();
});

function trust(...certificates: readonly TestCertificate[]): void {
  tls.setDefaultCACertificates([...trusted, ...certificates.map((one) => one.certificate)]);
}

const lenderAt = (remote: object) =>
  ({
    code: 'one',
    clientKeySealed: null,
    paymentSealed: null,
    remote: { certificate: null, limits: { callsAtOnce: 4 }, ...remote },
  }) as unknown as Lender;

describe.each([
  [
    'a lender',
    (of: Environment) =>
      new LenderHttp({} as ClientKeys, of, { seen: () => undefined } as never).clientOf(
        lenderAt({}),
      ),
  ],
  ['a gateway', (of: Environment) => new OutboundClient(of)],
])('%s at a private address', (_, make) => {
  const get = (url: string, privateNetworks: Environment['privateNetworks']) => {
    trust(SERVER_CERTIFICATE);
    client = make({ isLoopback: false, privateNetworks } as Environment);
    return client.get(url, LIMITS);
  };

  it('is reached in a network that the operator has named, over TLS alone', async () => {
    // `localhost` is both.
    const here = ['127.0.0.1/32', '::1/128'].map((range) => ipaddr.parseCIDR(range));
    expect(await get(`https://${host}/`, here)).toMatchObject({ excerpt: 'here' });
    for (const [url, networks, reason] of [
      [`http://${host}/`, here, 'URL_REFUSED'],
      ['https://10.0.0.1/', here, 'ADDRESS_REFUSED'],
      [`https://${host}/`, [], 'ADDRESS_REFUSED'],
    ] as const) {
      await client!.close();
      await expect(get(url, networks)).rejects.toMatchObject({ reason });
    }
  });
});

it('the certificates of a lender that are trusted are flagged by host 14 days before they expire, until a later one is seen', async () => {
  const keyList = 'keys.lender.example:443';
  const lender = lenderAt({
    address: `https://${host}/rlp`,
    keys: { kind: 'JWKS', address: 'https://keys.lender.example/jwks.json' },
  });
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
  const environment = { isLoopback: true, privateNetworks: [] };
  client = new LenderHttp({} as ClientKeys, environment, certificates).clientOf(lender);
  const recorded = async () => {
    await certificates.check();
    const { values } = await metrics.certificateDaysLeft.get();
    return { changes: changes.splice(0), days: values.map(({ value }) => value) };
  };
  const call = () => client!.get(`https://${host}/`, LIMITS);

  await expect(call()).rejects.toMatchObject({ reason: 'TLS' });
  expect(await recorded()).toEqual({ changes: [], days: [] });
  trust(SERVER_CERTIFICATE, RENEWED_CERTIFICATE);
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
  server.setSecureContext(shown(RENEWED_CERTIFICATE));
  await call();
  expect(await recorded()).toEqual({ changes: [['resolved', host]], days: [45] });
});
