import { expect, it } from 'vitest';
import { runWebhookFaults } from '../../faults/webhooks/webhook-fault-run.ts';
import { createEmptyDatabase } from '../../support/test-database.js';

// The short form of `npm run test:faults -- webhooks`, on a server that others use, too.

it('loses no event and takes no stale result while senders are killed and connections cut', async () => {
  const database = await createEmptyDatabase();
  try {
    const { findings, figures } = await runWebhookFaults({
      databaseUrl: database.url,
      seconds: 4,
      events: 105,
      seed: 7,
      senders: 2,
      crashes: false,
      tell: () => undefined,
    });
    expect(findings).toEqual([]);
    expect(figures).toMatchObject({ events: 105, deliveries: expect.any(Number) as number });
    expect(figures.kills).toBeGreaterThanOrEqual(1);
  } finally {
    await database.drop();
  }
}, 180_000);
