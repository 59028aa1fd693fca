// Isolated: two processes, which are killed.
import { expect, it } from 'vitest';
import type { FaultReport } from '../../faults/fault-run.ts';
import { runWebhookFaults } from '../../faults/webhooks/webhook-fault-run.ts';
import { createEmptyDatabase } from '../../support/test-database.js';

const POINTS = ['after the answer', 'before the claim', 'database'];
const SHORT = {
  seconds: 3,
  events: 60,
  journeys: 3,
  seed: 7,
  senders: 2,
  points: POINTS,
  crashes: false,
};

// The long form, with four senders and a PostgreSQL that crashes, is `npm run test:faults -- webhooks`.
it('nothing is lost when senders are killed at chosen lines and the database goes away', async () => {
  const database = await createEmptyDatabase();
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
