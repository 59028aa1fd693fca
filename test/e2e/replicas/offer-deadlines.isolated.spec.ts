// Isolated: two processes of its own, whose times differ.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OfferDeadlinesTasks } from '../../../src/journeys/background/journey.tasks.js';
import { JourneyMetrics } from '../../../src/journeys/progress/journey-mover.js';
import { eventually } from '../../support/eventually.js';
import { journeyIn, readJourney, startJourney } from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { inForm } from '../../support/long-form.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { startTwoReplicas, type TestService, type TwoReplicas } from '../../support/service.js';
import { runOnBoth, takeOffSchedule } from './tasks-by-hand.js';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const DEADLINE_MS = 120_000;
const GIVE_UP_MS = 1_800_000;
const JOURNEYS = inForm({ short: 16, long: 60 });
/** For what is shown of each journey alone. */
const FEW = inForm({ short: 4, long: 20 });
const LENDERS = 3;
/** A slow lender asks for ten seconds, and up to a fifth more is waited. */
const ANSWERS_MS = 13 * SECOND_MS;

// Many journeys each; on a busy machine they take their time.
vi.setConfig({ testTimeout: 90_000 });

let replicas: TwoReplicas;
let partner: PartnerClient;
let records: JourneyRecords;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  takeOffSchedule(replicas, 'offer-deadlines', 'abandonment');
  partner = partnerClient(replicas.first);
  records = new JourneyRecords(replicas.first.databaseUrl);
});

afterAll(async () => {
  await records?.close();
  await replicas?.close();
});

function lookAtDeadlines(): Promise<void> {
  return runOnBoth(replicas, OfferDeadlinesTasks);
}

async function moves(replica: TestService, trigger: string): Promise<number> {
  const { values } = await replica.get<JourneyMetrics>(JourneyMetrics).transitions.get();
  return values
    .filter(({ labels }) => labels.trigger === trigger)
    .reduce((sum, { value }) => sum + value, 0);
}

/** Journeys two of whose lenders have answered and whose third one never will. */
async function journeysWithASilentLender(): Promise<string[]> {
  const journeys = await Promise.all(
    Array.from({ length: JOURNEYS }, () => startJourney(partner, { pan: 'SANDX0002A' })),
  );
  const ids = journeys.map(({ id }) => id);
  // What a lender asks for is counted from its answer.
  await eventually(async () => {
    const [row] = await records.query(
      `SELECT count(*)::int AS asked FROM lender_questions
       WHERE subject_id = ANY ($1) AND attempts > 0 AND lease_until IS NULL`,
      [ids],
    );
    expect(row).toEqual({ asked: LENDERS * JOURNEYS });
  });
  await replicas.travel(ANSWERS_MS);
  await eventually(
    async () => {
      const [row] = await records.query(
        `SELECT count(*)::int AS offers FROM journey_offers WHERE journey_id = ANY ($1)`,
        [ids],
      );
      expect(row).toEqual({ offers: 2 * JOURNEYS });
    },
    { withinMs: 15_000 },
  );
  return ids;
}

describe('the lenders’ deadline', () => {
  it('moves each journey on once, with the offers that are there, and not before', async () => {
    const ids = await journeysWithASilentLender();
    await replicas.travel(DEADLINE_MS - ANSWERS_MS - 60 * SECOND_MS);
    await lookAtDeadlines();
    for (const id of ids) expect(await records.trail(id)).toEqual(['STARTED']);

    const before = await Promise.all([
      moves(replicas.first, 'OFFERS_ARRIVED'),
      moves(replicas.second, 'OFFERS_ARRIVED'),
    ]);
    await replicas.travel(60 * SECOND_MS);
    await lookAtDeadlines();
    for (const id of ids) {
      expect(await records.trail(id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
      expect(await records.events(id)).toEqual([
        '1 journey.initiated',
        '2 journey.offers_received',
      ]);
    }
    const shares = [
      (await moves(replicas.first, 'OFFERS_ARRIVED')) - before[0],
      (await moves(replicas.second, 'OFFERS_ARRIVED')) - before[1],
    ];
    expect(shares[0] + shares[1]).toBe(JOURNEYS);
    expect(Math.min(...shares)).toBeGreaterThan(0);
  });

  it('is not the end of a journey without an offer: the long deadline is, once', async () => {
    const journeys = await Promise.all(
      Array.from({ length: FEW }, () => startJourney(partner, { pan: 'SANDX0002A' })),
    );
    // No lender is ever heard of: somebody who holds the question keeps it for himself.
    await records.query(
      `UPDATE lender_questions SET lease_token = lease_token + 1,
         lease_until = app_now() + interval '1 day' WHERE subject_id = ANY ($1)`,
      [journeys.map(({ id }) => id)],
    );
    await replicas.travel(DEADLINE_MS + SECOND_MS);
    await lookAtDeadlines();
    for (const { id } of journeys) expect(await records.state(id)).toBe('INITIATED');
    await replicas.travel(GIVE_UP_MS - DEADLINE_MS);
    await lookAtDeadlines();
    for (const journey of journeys) {
      expect(await readJourney(partner, journey)).toMatchObject({
        state: 'REJECTED',
        outcomeReason: 'LENDERS_UNAVAILABLE',
      });
      expect(await records.trail(journey.id)).toEqual(['STARTED', 'LENDERS_SILENT']);
      expect(await records.flags(journey.id)).toEqual(['LENDER_SILENT']);
    }
  });
});

describe('offers that have run out', () => {
  it('send each journey back once, and its lenders are asked again once', async () => {
    const journeys = await Promise.all(
      Array.from({ length: FEW }, () => journeyIn(partner, 'OFFERS_RECEIVED')),
    );
    const ids = journeys.map(({ id }) => id);
    // The longest of the sandbox's offers are good for ten days.
    await replicas.travel(10 * DAY_MS + 60 * SECOND_MS);
    await lookAtDeadlines();
    await eventually(
      async () => {
        for (const id of ids) expect(await records.state(id)).toBe('OFFERS_RECEIVED');
      },
      { withinMs: 15_000 },
    );
    for (const id of ids) {
      expect(await records.trail(id)).toEqual([
        'STARTED',
        'OFFERS_ARRIVED',
        'OFFERS_RAN_OUT',
        'OFFERS_ARRIVED',
      ]);
      expect(await records.events(id)).toEqual([
        '1 journey.initiated',
        '2 journey.offers_received',
        '3 journey.offers_received',
      ]);
      expect(await records.questions(id, 'OFFERS')).toHaveLength(6);
      expect(await records.offers(id)).toBe(6);
      expect(await records.flags(id)).toEqual([]);
    }
  });
});

describe('a journey that cannot be looked at', () => {
  it('does not keep the others from their deadlines', async () => {
    const broken = await journeyIn(partner, 'OFFERS_RECEIVED');
    await records.query(
      `UPDATE journeys SET applicant_sealed = 'broken', offers_due_at = app_now() WHERE id = $1`,
      [broken.id],
    );
    const other = await journeyIn(partner, 'OFFERS_RECEIVED');
    await replicas.travel(10 * DAY_MS + 60 * SECOND_MS);
    await lookAtDeadlines();
    expect(await records.trail(broken.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
    expect(await records.trail(other.id)).toContain('OFFERS_RAN_OUT');
  });
});
