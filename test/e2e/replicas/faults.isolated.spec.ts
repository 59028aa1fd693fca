// Isolated: its processes are killed.
import { expect, it } from 'vitest';
import { type FaultReport, runFaults } from '../../faults/fault-run.ts';
import { createEmptyDatabase } from '../../support/test-database.js';

// The long form is `npm run test:faults`.
const SHORT = { seconds: 6, journeys: 12, seed: 20_251, replicas: 2 };

it('nothing is lost, doubled or left behind when replicas are killed at random', async () => {
  const database = await createEmptyDatabase();
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
