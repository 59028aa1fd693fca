// Isolated: its processes are killed, and lenders are outside them.
import { describe, expect, it } from 'vitest';
import { runFailovers } from '../../faults/failover/failover-run.ts';
import { type FaultReport, runFaults } from '../../faults/fault-run.ts';
import { runWebhookFaults } from '../../faults/webhooks/webhook-fault-run.ts';
import { createTestDatabase } from '../../support/test-database.js';
import { runWalks, type WalkReport } from '../../walks/walk-run.ts';

describe('replicas', () => {
  // The long form is `npm run test:faults`.
  const SHORT = { seconds: 3, journeys: 4, seed: 20_262, replicas: 2 };

  it('nothing is lost, doubled or left behind when replicas are killed at random', async () => {
    const database = await createTestDatabase();
    const told: string[] = [];
    let report: FaultReport;
    try {
      const tell = (line: string) => told.push(line);
      report = await runFaults({ ...SHORT, databaseUrl: database.url, tell });
    } finally {
      await database.drop();
    }
    if (report.findings.length > 0) console.error(told.join('\n'));
    expect(report.findings).toEqual([]);
    expect(report.figures.sanctioned).toBe(SHORT.journeys);
    // A run in which nothing was hit would prove nothing.
    expect(report.figures.kills).toBeGreaterThan(1);
    expect(report.figures.callsLost).toBeGreaterThan(0);
  }, 300_000);
});

describe('senders', () => {
  const POINTS = ['after the answer', 'before the claim', 'database'];

  const SHORT = {
    seconds: 3,
    events: 15,
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
    const database = await createTestDatabase();
    const told: string[] = [];
    let report: FaultReport;
    try {
      const tell = (line: string) => told.push(line);
      report = await runWebhookFaults({ ...SHORT, databaseUrl: database.url, tell });
    } finally {
      await database.drop();
    }
    if (report.findings.length > 0) console.error(told.join('\n'));
    expect(report.findings).toEqual([]);
    expect(report.figures.events).toBeGreaterThan(SHORT.events);
    expect(report.figures.polled).toBe(report.figures.events);
    expect(report.figures.journeysOver).toBe(SHORT.journeys);
    // A run in which nothing was hit would prove nothing.
    expect(report.figures.kills).toBeGreaterThan(0);
    expect(report.figures.database).toBeGreaterThan(0);
  }, 180_000);
});

describe('primaries', () => {
  const SHORT = { failovers: 2, journeys: 3, loans: 2, seed: 5, replicas: 2 };

  // The long form, with ten failovers and three replicas, is `npm run test:faults -- failover`.
  it('nothing is lost when a primary is killed, and when one is cut off from its standby', async () => {
    const told: string[] = [];
    const report = await runFailovers({ ...SHORT, tell: (line) => told.push(line) });
    if (report.findings.length > 0) console.error(told.join('\n'));
    expect(report.findings).toEqual([]);
    const { journeysOver, paid, unavailable, noncesReplayed } = report.figures;
    expect([journeysOver, paid]).toEqual([SHORT.journeys, SHORT.loans]);
    // A run in which nothing was hit would prove nothing.
    expect(unavailable).toBeGreaterThan(0);
    expect(noncesReplayed).toBeGreaterThan(0);
  }, 300_000);
});

describe('lenders', () => {
  // The long form is `npm run test:walks`.
  const SHORT = { journeys: 3, together: 3, seconds: 120, seed: 20_261, pace: 0.05, faults: 40 };

  it('journeys at random end as the books of lenders say that answer at random', async () => {
    const database = await createTestDatabase();
    const told: string[] = [];
    let report: WalkReport;
    try {
      const tell = (line: string) => told.push(line);
      report = await runWalks({ ...SHORT, databaseUrl: database.url, tell });
    } finally {
      await database.drop();
    }
    if (report.findings.length > 0) console.error(told.join('\n'));
    expect(report.findings).toEqual([]);
    const { sanctioned, rejected, askedMoreThanOnce, told: messages } = report.figures;
    expect(sanctioned + rejected).toBe(SHORT.journeys);
    // A run in which lenders answered at once would prove nothing.
    expect(askedMoreThanOnce).toBeGreaterThan(3);
    expect(messages).toBeGreaterThan(10);
  }, 300_000);
});
