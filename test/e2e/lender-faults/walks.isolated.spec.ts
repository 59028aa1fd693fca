// Isolated: two processes, with lenders outside them.
import { expect, it } from 'vitest';
import { createEmptyDatabase } from '../../support/test-database.js';
import { runWalks, type WalkReport } from '../../walks/walk-run.ts';

// The long form is `npm run test:walks`.
const SHORT = { journeys: 5, together: 5, seconds: 120, seed: 20_261, pace: 0.05, faults: 40 };

it('journeys at random end as the books of lenders say that answer at random', async () => {
  const database = await createEmptyDatabase();
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
