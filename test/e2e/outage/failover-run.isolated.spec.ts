// Isolated: replicas and their PostgreSQL are killed.
import { expect, it } from 'vitest';
import { runFailovers } from '../../faults/failover/failover-run.ts';

const SHORT = { failovers: 2, journeys: 12, loans: 5, seed: 5, replicas: 2 };

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
