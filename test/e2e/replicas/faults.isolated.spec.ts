// Isolated: its processes are killed, and its PostgreSQL is lost.
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../faults/endpoints.js';
import { DatabaseCluster } from '../../faults/failover/cluster.js';
import { runFailovers } from '../../faults/failover/failovers.js';
import { DELETED, runFaults } from '../../faults/fault-run.js';
import { KillPoints } from '../../faults/kill-points.js';
import type { FaultReport } from '../../faults/run-parts.js';
import { startOwnCluster } from '../../support/own-cluster.js';
import { createTestDatabase } from '../../support/test-database.js';

const TIMEOUT_MS = 300_000;
/** Two deliberate errors: a lead with a wrong status, and a lost delivery. */
const PLANTED = [
  `UPDATE applications SET status = 'ABANDONED' WHERE id = (SELECT min(id) FROM applications)`,
  `UPDATE webhook_deliveries SET status = 'PENDING'
   WHERE id = (SELECT min(id) FROM webhook_deliveries WHERE status = 'SUCCEEDED')`,
];
const FOUND = [
  expect.stringMatching(/: the lead says the same$/),
  expect.stringMatching(/ is PENDING$/),
  expect.stringMatching(/^audit verify ended with 1: .*status differs from the audit trail/s),
];

const log: string[] = [];
const SHORT = {
  replicas: 2,
  pace: 0.1,
  stillMs: 800,
  sentWithinMs: 3_000,
  planted: PLANTED,
  tell: (line: string) => void log.push(line),
};

/** Expects only the planted findings; otherwise prints the log. */
function expectPlanted({ findings, figures }: FaultReport): FaultReport['figures'] {
  if (findings.length !== FOUND.length) console.error(log.join('\n'));
  expect(findings).toEqual(FOUND);
  return figures;
}

describe('replicas', () => {
  const OPTIONS = {
    ...SHORT,
    seconds: 2,
    journeys: 3,
    loans: 1,
    seed: 20_379,
    randomAnswers: 20,
    endpoints: [...Object.keys(ENDPOINTS), DELETED],
    // webhooks/receivers.spec.ts tests the sender's timeout.
    hangsForMs: 1_000,
    points: ['after the answer', 'before the claim', 'under a call', 'database'],
    crashes: false,
  };

  // `npm run test:faults` is the long form, with every point and crashes of PostgreSQL.
  it(
    'nothing is lost when senders are killed at chosen lines and the database goes away, and what is planted is found',
    async () => {
      const database = await createTestDatabase();
      try {
        const options = { ...OPTIONS, databaseUrl: database.url };
        const figures = expectPlanted(await runFaults(options, new KillPoints(options)));
        expect(figures.sanctioned + figures.rejected).toBe(OPTIONS.journeys + OPTIONS.loans);
        // Proves that every point was hit, and that lenders did not answer at once.
        expect(OPTIONS.points.filter((point) => !(figures[point] > 0))).toEqual([]);
        expect(figures.askedMoreThanOnce).toBeGreaterThan(3);
        expect(figures.events).toBeGreaterThan(10);
      } finally {
        await database.drop();
      }
    },
    TIMEOUT_MS,
  );
});

describe('a primary', () => {
  const OPTIONS = {
    ...SHORT,
    failovers: 1,
    eachMs: 2_000,
    journeys: 1,
    loans: 1,
    seed: 7,
    randomAnswers: 5,
    endpoints: ['healthy'],
    start: () => DatabaseCluster.start(startOwnCluster),
  };

  // The long form is `npm run test:faults -- failover`.
  it(
    'that is lost takes no journey, payment or event with it, and what is planted is found',
    async () => {
      const figures = expectPlanted(await runFailovers(OPTIONS));
      expect([figures.journeys, figures.feesPaid]).toEqual([2, 1]);
      // Proves that the failover interrupted the service.
      expect(figures.unavailable).toBeGreaterThan(0);
      expect(figures.noncesReplayed).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
