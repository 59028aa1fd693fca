// Isolated: its processes are killed, and lenders are outside them.
import { describe, expect, it } from 'vitest';
import { DatabaseCluster } from '../../faults/failover/cluster.ts';
import { runFailovers } from '../../faults/failover/failover-run.ts';
import { runFaults } from '../../faults/fault-run.ts';
import { type CreateReplica, MASTER_KEY, ReplicaProcess } from '../../faults/replica.ts';
import type { FaultReport } from '../../faults/run-parts.ts';
import { runWebhookFaults } from '../../faults/webhooks/webhook-fault-run.ts';
import { runAdminWith } from '../../support/admin-command.js';
import { startOwnCluster } from '../../support/own-cluster.js';
import { createTestDatabase } from '../../support/test-database.js';
import { runWalks } from '../../walks/walk-run.ts';
import { ServiceReplica } from './service-replica.js';

const TIMEOUT_MS = 300_000;
/** A move that left the lead behind, and a delivery that was lost. */
const PLANTED = [
  `UPDATE applications SET status = 'REJECTED' WHERE id = (SELECT min(id) FROM applications)`,
  `UPDATE webhook_deliveries SET status = 'PENDING'
   WHERE id = (SELECT min(id) FROM webhook_deliveries)`,
];

type Log = (line: string) => void;

/** Runs on a database of its own, and prints its log if there are other findings than those expected. */
async function figuresOf(
  run: (of: { databaseUrl: string; tell: Log }) => Promise<FaultReport>,
  expected: readonly unknown[] = [],
): Promise<Record<string, number>> {
  const database = await createTestDatabase();
  const log: string[] = [];
  try {
    const tell: Log = (line) => void log.push(line);
    const { findings, figures } = await run({ databaseUrl: database.url, tell });
    if (findings.length !== expected.length) console.error(log.join('\n'));
    expect(findings).toEqual(expected);
    return figures;
  } finally {
    await database.drop();
  }
}

/** As `admin audit verify` of a process of its own reports it. */
async function audit(databaseUrl: string): Promise<string[]> {
  const { code, out } = await runAdminWith({ MASTER_KEY }, databaseUrl, 'audit', 'verify');
  return code === 0 ? [] : [`audit verify ended with ${code}: ${out}`];
}

describe('replicas', () => {
  // The seed has the first one killed. That all are killed at once is shown in killed-actions.isolated.spec.ts.
  const createReplica: CreateReplica = (name, ...of) =>
    name === 'replica 1' ? ReplicaProcess.create(name, ...of) : ServiceReplica.create(name, ...of);
  const SHORT = { seconds: 2, journeys: 2, seed: 20_379, replicas: 2, stillMs: 800 };

  // The long form is `npm run test:faults`.
  it(
    'nothing is lost, doubled or left behind when replicas are killed, and what is planted is found',
    async () => {
      const figures = await figuresOf(
        (of) => runFaults({ ...SHORT, ...of, createReplica, audit, planted: PLANTED }),
        [
          expect.stringMatching(/ lead: "REJECTED", not "SANCTIONED"$/),
          '1 deliveries did not succeed',
          expect.stringMatching(
            /^audit verify ended with 1: .*status differs from the audit trail/s,
          ),
        ],
      );
      expect(figures.sanctioned).toBe(SHORT.journeys);
      // A run in which nothing was hit would prove nothing.
      expect(figures.kills).toBeGreaterThan(0);
      expect(figures.callsLost).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

describe('senders', () => {
  const SHORT = {
    seconds: 1,
    events: 7,
    journeys: 1,
    seed: 7,
    senders: 2,
    points: ['after the answer', 'before the claim', 'database'],
    crashes: false,
    // That a sender gives up an endpoint that never answers: src/platform/outbound/guarded-client.spec.ts.
    hangsForMs: 1_000,
    stillMs: 800,
  };

  // The long form, with four senders and a PostgreSQL that crashes, is `npm run test:faults -- webhooks`.
  it(
    'nothing is lost when senders are killed at chosen lines and the database goes away',
    async () => {
      const figures = await figuresOf((of) => runWebhookFaults({ ...SHORT, ...of }));
      expect(figures.events).toBeGreaterThan(SHORT.events);
      expect(figures.polled).toBe(figures.events);
      expect(figures.journeysOver).toBe(SHORT.journeys);
      expect(figures.kills).toBeGreaterThan(0);
      expect(figures.database).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

describe('a primary', () => {
  const SHORT = {
    failovers: 1,
    journeys: 1,
    loans: 1,
    seed: 7,
    replicas: 2,
    stillMs: 800,
    setting: {
      start: () => DatabaseCluster.start(startOwnCluster),
      eachMs: 5_000,
      trials: [],
      createReplica: ServiceReplica.create,
    },
  };

  // The long form is `npm run test:faults -- failover`.
  it(
    'that is lost takes no journey, payment or event with it',
    async () => {
      const figures = await figuresOf((of) => runFailovers({ ...SHORT, ...of }));
      expect([figures.journeysOver, figures.paid]).toEqual([SHORT.journeys, SHORT.loans]);
      // A run in which the loss was not noticed would prove nothing.
      expect(figures.unavailable).toBeGreaterThan(0);
      expect(figures.noncesReplayed).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

describe('lenders that answer at random', () => {
  const SHORT = { journeys: 5, together: 5, seconds: 120, seed: 20_261, pace: 0.15, faults: 30 };
  const HERE = { createReplica: ServiceReplica.create, audit };

  // The long form is `npm run test:walks`.
  it(
    'end every journey as their books say',
    async () => {
      const figures = await figuresOf((of) => runWalks({ ...SHORT, ...HERE, ...of }));
      expect(figures.sanctioned + figures.rejected).toBe(SHORT.journeys);
      // A run in which lenders answered at once would prove nothing.
      expect(figures.askedMoreThanOnce).toBeGreaterThan(3);
    },
    TIMEOUT_MS,
  );
});
