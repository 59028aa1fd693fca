import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { PartnerClient } from '../../support/partner-client.js';

it('an answer that the document does not describe fails the test that got it', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end('{"success":true,"data":{"products":[],"secret":"s"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new PartnerClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: 'key',
    apiSecret: 'secret',
  });
  await expect(client.get('/products')).rejects.toThrow(/unevaluated.*secret/);
  await new Promise((resolve) => server.close(resolve));
});
