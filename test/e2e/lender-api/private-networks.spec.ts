import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import ipaddr from 'ipaddr.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LenderHttp } from '../../../src/lender-api/client/lender-http.js';
import {
  type Environment,
  type GuardedClient,
  OutboundClient,
} from '../../../src/platform/index.js';
import type { ClientKeys, Lender } from '../../../src/settings/index.js';
import { SERVER_CERTIFICATE } from '../../support/test-certificates.js';

const QUERY = { headers: {}, deadlineMs: 5_000, maxResponseBytes: 100 };
/** `localhost` may resolve to both. */
const HERE = ['127.0.0.1/32', '::1/128'].map((range) => ipaddr.parseCIDR(range));
const LENDER = {
  code: 'linked',
  clientKeySealed: null,
  paymentSealed: null,
  remote: { certificate: null, limits: { callsAtOnce: 4 } },
} as unknown as Lender;

const trusted = tls.getCACertificates('default');
let server: Server;
let open: GuardedClient | undefined;

beforeAll(async () => {
  tls.setDefaultCACertificates([...trusted, SERVER_CERTIFICATE.certificate]);
  const { certificate: cert, privateKey: key } = SERVER_CERTIFICATE;
  server = createServer({ cert, key }, (_, response) => response.end('here'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => open?.close());

afterAll(() => {
  tls.setDefaultCACertificates(trusted);
  server.closeAllConnections();
  server.close();
});

const address = (scheme = 'https') =>
  `${scheme}://localhost:${(server.address() as AddressInfo).port}/`;

describe.each([
  [
    'a lender',
    (of: Environment) =>
      new LenderHttp({} as ClientKeys, of, { seen: () => undefined } as never).clientOf(LENDER),
  ],
  ['a gateway', (of: Environment) => new OutboundClient(of)],
])('%s at a private address', (_, make) => {
  const client = (privateNetworks: Environment['privateNetworks']) => {
    open = make({ isLoopback: false, privateNetworks } as Environment);
    return open;
  };

  it('is reached in a network that the operator has named, over TLS alone', async () => {
    expect(await client(HERE).get(address(), QUERY)).toMatchObject({ excerpt: 'here' });
    await expect(open!.get(address('http'), QUERY)).rejects.toMatchObject({
      reason: 'URL_REFUSED',
    });
    await expect(open!.get('https://10.0.0.1/', QUERY)).rejects.toMatchObject({
      reason: 'ADDRESS_REFUSED',
    });
  });

  it('is not reached without one', async () => {
    await expect(client([]).get(address(), QUERY)).rejects.toMatchObject({
      reason: 'ADDRESS_REFUSED',
    });
  });
});
