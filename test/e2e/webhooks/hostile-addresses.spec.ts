import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { Exchange } from '../../../src/platform/outbound/exchange.js';
import { guardedAgents } from '../../../src/platform/outbound/guarded-agents.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

/** Every other way of writing one: src/platform/outbound/refused-address.spec.ts. */
const HOSTILE = ['10.0.0.1', '2852039166', '１０.０.０.１', '[fd00:ec2::254]', '[::ffff:10.0.0.1]'];

let service: TestService;
let partner: PartnerClient;
let id: string;

beforeAll(async () => {
  service = await sharedService();
  partner = partnerClient(service);
  const { json } = await partner.post<{ subscriptionId: string }>('/webhooks', {
    url: 'https://partner.example/hooks',
  });
  id = json.data.subscriptionId;
});

describe('a hostile address', () => {
  it.each(HOSTILE)(
    'is not registered, nor reached should it be in the database: %s',
    async (host) => {
      const url = `https://${host}/`;
      expect((await partner.post('/webhooks', { url })).status).toBe(400);
      await service
        .get<Database>(Database)
        .query('UPDATE webhook_subscriptions SET url = $2 WHERE id = $1', [id, url]);
      const { json } = await partner.post(`/webhooks/${id}/test`);
      expect(json.data).toMatchObject({ isDelivered: false, failure: 'ADDRESS_REFUSED' });
    },
  );

  it('is not reached through a name that changes its answer', async () => {
    let posts = 0;
    const server = createServer((_, response) => {
      posts += 1;
      response.setHeader('connection', 'close').end();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    // Checked once and asked again by the connection, it would lead to the metadata service.
    const answers = ['127.0.0.1', '169.254.169.254', '127.0.0.1'];
    let asked = 0;
    const { 'http:': agent } = guardedAgents({
      resolve: () => Promise.resolve([{ address: answers[asked++], family: 4 }]),
      rule: { allowLoopback: true },
      maxConnections: 1,
    });
    const post = async () => {
      const options = { host: 'rebind.example', port, method: 'POST', agent };
      const limits = { deadlineMs: 1_000, maxResponseBytes: 1 };
      return (await new Exchange(options, '', limits).answered).status;
    };
    expect(await post()).toBe(200);
    // One connection, one question: what was checked is what was connected to.
    expect(asked).toBe(1);
    await expect(post()).rejects.toMatchObject({ reason: 'ADDRESS_REFUSED' });
    expect(await post()).toBe(200);
    expect([asked, posts]).toEqual([3, 2]);
    agent.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
