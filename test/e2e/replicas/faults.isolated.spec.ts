// Isolated: its processes are killed, and lenders are outside them.
import { describe, expect, it } from 'vitest';
import { runFailovers } from '../../faults/failover/failover-run.ts';
import { type FaultReport, runFaults } from '../../faults/fault-run.ts';
import { runWebhookFaults } from '../../faults/webhooks/webhook-fault-run.ts';
import { createTestDatabase } from '../../support/test-database.js';
import { runWalks } from '../../walks/walk-run.ts';

/** Runs on a database of its own, prints what it told if there are findings, and returns the figures. */
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

describe('replicas', () => {
  // The long form is `npm run test:faults`.
  const SHORT = { seconds: 4, journeys: 8, seed: 20_262, replicas: 2 };

  it('nothing is lost, doubled or left behind when replicas are killed at random', async () => {
    const figures = await figuresOf(runFaults, SHORT);
    expect(figures.sanctioned).toBe(SHORT.journeys);
    // A run in which nothing was hit would prove nothing.
    expect(figures.kills).toBeGreaterThan(1);
    expect(figures.callsLost).toBeGreaterThan(0);
  }, 300_000);
});

describe('senders', () => {
  const POINTS = ['after the answer', 'before the claim', 'database'];

  const SHORT = {
    seconds: 1,
    events: 10,
    journeys: 1,
    seed: 7,
    senders: 2,
    points: POINTS,
    crashes: false,
    // That a sender gives up an endpoint that never answers is shown in webhooks/receivers.spec.ts.
    hangsForMs: 1_000,
  };

  // The long form, with four senders and a PostgreSQL that crashes, is `npm run test:faults -- webhooks`.
  it('nothing is lost when senders are killed at chosen lines and the database goes away', async () => {
    const figures = await figuresOf(runWebhookFaults, SHORT);
    expect(figures.events).toBeGreaterThan(SHORT.events);
    expect(figures.polled).toBe(figures.events);
    expect(figures.journeysOver).toBe(SHORT.journeys);
    // A run in which nothing was hit would prove nothing.
    expect(figures.kills).toBeGreaterThan(0);
    expect(figures.database).toBeGreaterThan(0);
  }, 180_000);
});

describe('primaries', () => {
  // With this seed one loan is declined and one is not.
  const SHORT = { failovers: 2, journeys: 2, loans: 2, seed: 7, replicas: 2 };

  // The long form, with ten failovers and three replicas, is `npm run test:faults -- failover`.
  it('nothing is lost when a primary is killed, and when one is cut off from its standby', async () => {
    const { journeysOver, paid, unavailable, noncesReplayed } = await figuresOf(
      runFailovers,
      SHORT,
    );
    expect([journeysOver, paid]).toEqual([SHORT.journeys, SHORT.loans]);
    // A run in which nothing was hit would prove nothing.
    expect(unavailable).toBeGreaterThan(0);
    expect(noncesReplayed).toBeGreaterThan(0);
  }, 300_000);
});

describe('lenders', () => {
  // The long form is `npm run test:walks`.
  const SHORT = { journeys: 5, together: 5, seconds: 120, seed: 20_261, pace: 0.05, faults: 40 };

  it('journeys at random end as the books of lenders say that answer at random', async () => {
    const {
      sanctioned,
      rejected,
      loans,
      askedMoreThanOnce,
      told: messages,
    } = await figuresOf(runWalks, SHORT);
    expect(sanctioned + rejected).toBe(SHORT.journeys);
    expect(loans).toBe(1);
    // A run in which lenders answered at once would prove nothing.
    expect(askedMoreThanOnce).toBeGreaterThan(3);
    expect(messages).toBeGreaterThan(10);
  }, 300_000);
});
