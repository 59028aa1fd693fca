// Isolated: its senders are killed, and its PostgreSQL is lost.
import { expect, it } from 'vitest';
import { runFailovers } from '../../faults/failover/failover-run.ts';
import type { FaultReport } from '../../faults/fault-run.ts';
import { runWebhookFaults } from '../../faults/webhooks/webhook-fault-run.ts';
import { createTestDatabase } from '../../support/test-database.js';

async function figuresOf<Options>(
  run: (
    options: Options & { databaseUrl: string; tell: (line: string) => void },
  ) => Promise<FaultReport>,
  options: Options,
): Promise<Record<string, number>> {
  const database = await createTestDatabase();
  const told: string[] = [];
  try {
    const tell = (line: string) => void told.push(line);
    const { findings, figures } = await run({ ...options, databaseUrl: database.url, tell });
    if (findings.length > 0) console.error(told.join('\n'));
    expect(findings).toEqual([]);
    return figures;
  } finally {
    await database.drop();
  }
}

// The long form, with four senders and a PostgreSQL that crashes, is `npm run test:faults -- webhooks`.
it('nothing is lost when senders are killed at chosen lines and the database goes away', async () => {
  const short = {
    seconds: 1,
    events: 10,
    journeys: 1,
    seed: 7,
    senders: 2,
    points: ['after the answer', 'before the claim', 'database'],
    crashes: false,
    hangsForMs: 1_000,
  };
  const figures = await figuresOf(runWebhookFaults, short);
  expect(figures.events).toBeGreaterThan(short.events);
  expect(figures.polled).toBe(figures.events);
  expect(figures.journeysOver).toBe(short.journeys);
  // A run in which nothing was hit would prove nothing.
  expect(figures.kills).toBeGreaterThan(0);
  expect(figures.database).toBeGreaterThan(0);
}, 180_000);

// The long form, with ten failovers and three replicas, is `npm run test:faults -- failover`.
it('nothing is lost when a primary is lost', async () => {
  const short = { failovers: 1, journeys: 1, loans: 1, seed: 7, replicas: 2 };
  const figures = await figuresOf(runFailovers, short);
  expect([figures.journeysOver, figures.paid]).toEqual([short.journeys, short.loans]);
  // A run in which nothing was hit would prove nothing.
  expect(figures.unavailable).toBeGreaterThan(0);
  expect(figures.noncesReplayed).toBeGreaterThan(0);
}, 180_000);
