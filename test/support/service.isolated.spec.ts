// Isolated: starts services, in this process and in one of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './eventually.js';
import { BANK_ACCOUNT, loanRequest } from './loan-requests.js';
import { type PartnerClient, partnerClient } from './partner-client.js';
import { type OwnService, startService, startTwoReplicas } from './service.js';
import { spawnService } from './spawned-service.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { WebhookReceiver } from './webhook-receiver.js';

describe('the service in this process', () => {
  let service: OwnService;
  let demo: PartnerClient;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    service = await startService();
    demo = partnerClient(service);
    receiver = await WebhookReceiver.start();
  });

  afterAll(async () => {
    await service.close();
    await receiver.stop();
  });

  it('answers a signed call over real HTTP', async () => {
    const { status, json } = await demo.get<{ products: object[] }>('/products');
    expect(status).toBe(200);
    expect(json.data.products.length).toBeGreaterThan(0);
  });

  it('keeps its clients on its clock when it travels in time', async () => {
    await service.travel(86_400_000);
    expect((await demo.get('/products')).status).toBe(200);
    await service.travel(-86_400_000);
    expect((await demo.get('/products')).status).toBe(200);
  });

  it('delivers what happens on a journey to the receiver', async () => {
    await demo.post('/webhooks', { url: receiver.url() });
    const { json } = await demo.initiate(loanRequest());
    const { journeyId, journeySession } = json.data;
    const delivery = await receiver.waitForEvent('journey.offers_received');
    expect(delivery.json().journeyId).toBe(journeyId);
    const journey = await demo.journey(journeyId, journeySession);
    expect(journey.json.data.currentNextAction.type).toBe('SELECT_OFFER');
    const early = await demo.action(journeyId, journeySession, 'SUBMIT_BANK_ACCOUNT', BANK_ACCOUNT);
    expect(early.status).toBe(409);
  });
});

describe('two replicas', () => {
  it('share one database and one time', async () => {
    const replicas = await startTwoReplicas();
    try {
      const [first, second] = [partnerClient(replicas.first), partnerClient(replicas.second)];
      await replicas.travel(7 * 86_400_000);
      const { json } = await first.initiate(loanRequest());
      const { journeyId, journeySession } = json.data;
      await eventually(async () => {
        const journey = await second.journey(journeyId, journeySession);
        expect(journey.json.data.state).toBe('OFFERS_RECEIVED');
      });
      expect(
        Math.abs(replicas.first.now().getTime() - replicas.second.now().getTime()),
      ).toBeLessThan(1_000);
    } finally {
      await replicas.close();
    }
  });
});

describe('the service in a process of its own', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  it('is killed without a word, comes back on its port, and ends with 0 when told to stop', async () => {
    const first = await spawnService({ databaseUrl: database.url });
    expect((await partnerClient(first).get('/products')).status).toBe(200);
    await first.kill();
    const second = await spawnService({ databaseUrl: database.url, port: first.port });
    expect(second.pid).not.toBe(first.pid);
    expect((await partnerClient(second).get('/products')).status).toBe(200);
    expect(await second.stop()).toBe(0);
  });

  it('says what the process wrote when it does not become ready', async () => {
    const started = spawnService({ databaseUrl: database.url, env: { MODE: 'nonsense' } });
    await expect(started).rejects.toThrow('MODE must be "sandbox" or "production"');
  });
});
