// Isolated: its processes are killed, and lenders are outside them.
import { describe, expect, it } from 'vitest';
import { runFailovers } from '../../faults/failover/failover-run.ts';
import { runFaults } from '../../faults/fault-run.ts';
import type { FaultReport } from '../../faults/run-parts.ts';
import { runWebhookFaults } from '../../faults/webhooks/webhook-fault-run.ts';
import { inForm } from '../../support/long-form.js';
import { createTestDatabase } from '../../support/test-database.js';
import { runWalks } from '../../walks/walk-run.ts';

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

describe('replicas', () => {
  const SHORT = { seconds: 2.5, journeys: 3, seed: 20_262, replicas: 2 };

  // The long form is `npm run test:faults`.
  it(
    'nothing is lost, doubled or left behind when replicas are killed, and what is planted is found',
    async () => {
      const figures = await figuresOf(
        (of) => runFaults({ ...SHORT, ...of, planted: PLANTED }),
        [
          expect.stringMatching(/ lead: "REJECTED", not "SANCTIONED"$/),
          '1 deliveries did not succeed',
          expect.stringMatching(/^audit verify ended with 1: .*status is not what the audit says/s),
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
    events: 10,
    journeys: 1,
    seed: 7,
    senders: 2,
    points: ['after the answer', 'before the claim', 'database'],
    crashes: false,
    // That a sender gives up an endpoint that never answers is shown in webhooks/receivers.spec.ts.
    hangsForMs: 1_000,
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

const failover = async () => {
  // With this seed one loan is declined and one is not.
  const options = { failovers: 2, journeys: 2, loans: 2, seed: 7, replicas: 2 };
  const figures = await figuresOf((of) => runFailovers({ ...options, ...of }));
  expect([figures.journeysOver, figures.paid]).toEqual([options.journeys, options.loans]);
  expect(figures.unavailable).toBeGreaterThan(0);
  expect(figures.noncesReplayed).toBeGreaterThan(0);
};
const walks = async () => {
  const options = {
    journeys: 5,
    together: 5,
    seconds: 120,
    seed: 20_261,
    pace: 0.05,
    faults: 40,
  };
  const figures = await figuresOf((of) => runWalks({ ...options, ...of }));
  expect(figures.sanctioned + figures.rejected).toBe(options.journeys);
  expect(figures.loans).toBe(1);
  // A run in which lenders answered at once would prove nothing.
  expect(figures.askedMoreThanOnce).toBeGreaterThan(3);
  expect(figures.told).toBeGreaterThan(10);
};

// Their short forms in each check are outage/failover.isolated.spec.ts and lender-faults.
it.each(
  inForm<readonly (readonly [string, () => Promise<void>])[]>({
    short: [],
    long: [
      [
        'nothing is lost when a primary is killed, and when one is cut off from its standby',
        failover,
      ],
      ['journeys end as the books of lenders say that answer at random', walks],
    ],
  }),
)('%s', (_, expectRun) => expectRun(), TIMEOUT_MS);
