// Isolated: two replicas run the same task at once.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { JourneyMetrics } from '../../../src/journeys/progress/journey-mover.js';
import { OfferRoundsRepository } from '../../../src/journeys/store/offer-rounds.repository.js';
import { journeyIn, type StartedJourney, startJourney } from '../../support/journey-driver.js';
import { inForm } from '../../support/long-form.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { pauseWakes } from '../../support/paused-task.js';
import { startTwoReplicas, type TestService, type TwoReplicas } from '../../support/service.js';
import { runOnBoth, takeOffSchedule } from './tasks-by-hand.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MANY = inForm({ short: 8, long: 120 });

// Many journeys each; slow on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

let replicas: TwoReplicas;
let partner: PartnerClient;
let records: JourneyRecords;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  // Other tasks would request new offers, and resolve the intents that these tests leave open.
  takeOffSchedule(replicas, 'abandonment', 'offer-deadlines', 'orphaned-actions');
  for (const one of [replicas.first, replicas.second]) pauseWakes(one, OfferRoundsRepository.DUE);
  partner = partnerClient(replicas.first);
  records = new JourneyRecords(replicas.first.databaseUrl);
});

afterAll(async () => {
  await records?.close();
  await replicas?.close();
});

function abandonIdle(): Promise<void> {
  return runOnBoth(replicas, AbandonmentTasks);
}

async function idleFor(journeyIds: string[], milliseconds: number): Promise<void> {
  await records.query(
    `UPDATE journeys SET last_activity_at = app_now() - $2 * interval '1 millisecond'
     WHERE id = ANY ($1)`,
    [journeyIds, milliseconds],
  );
}

async function states(journeys: readonly StartedJourney[]): Promise<string[]> {
  return Promise.all(journeys.map(({ id }) => records.state(id)));
}

async function abandonments(replica: TestService): Promise<number> {
  const { values } = await replica.get<JourneyMetrics>(JourneyMetrics).transitions.get();
  return values
    .filter(({ labels }) => labels.trigger === 'WENT_IDLE')
    .reduce((sum, { value }) => sum + value, 0);
}

describe('idle journeys', () => {
  it('are abandoned after seven days and not a minute sooner, each once, on two replicas', async () => {
    const others = partnerClient(replicas.second);
    const journeys = await Promise.all(
      Array.from({ length: MANY }, (_, index) =>
        journeyIn(index % 2 ? partner : others, 'OFFERS_RECEIVED'),
      ),
    );
    const ids = journeys.map(({ id }) => id);
    await idleFor(ids, 7 * DAY_MS - MINUTE_MS);
    await abandonIdle();
    expect(new Set(await states(journeys))).toEqual(new Set(['OFFERS_RECEIVED']));

    await replicas.travel(MINUTE_MS);
    await abandonIdle();
    expect(new Set(await states(journeys))).toEqual(new Set(['ABANDONED']));
    for (const id of ids) {
      expect(await records.trail(id)).toEqual(['STARTED', 'OFFERS_ARRIVED', 'WENT_IDLE']);
      expect(await records.events(id)).toEqual([
        '1 journey.initiated',
        '2 journey.offers_received',
        '3 journey.abandoned',
      ]);
      expect(await records.questions(id, 'WITHDRAWAL')).toHaveLength(3);
    }
    const shares = [await abandonments(replicas.first), await abandonments(replicas.second)];
    expect(shares[0] + shares[1]).toBe(MANY);
    // Both replicas did some of the work; otherwise nothing happened at once.
    expect(Math.min(...shares)).toBeGreaterThan(0);
    await abandonIdle();
    expect((await abandonments(replicas.first)) + (await abandonments(replicas.second))).toBe(MANY);
  });

  it('are abandoned in every state that waits for the applicant, the hosted ones too', async () => {
    const waiting = ['KYC_PENDING', 'BANK_ACCOUNT_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING'];
    const journeys = await Promise.all([
      startJourney(partner, { channel: 'API_HOSTED' }),
      // One of its lenders never answers.
      startJourney(partner, { pan: 'SANDX0002A' }),
      journeyIn(partner, 'OFFER_SELECTED', { productCode: 'ONLINE_GOLD' }),
      ...waiting.map((state) => journeyIn(partner, state)),
    ]);
    const before = ['INITIATED', 'INITIATED', 'OFFER_SELECTED', ...waiting];
    expect(await states(journeys)).toEqual(before);
    await replicas.travel(7 * DAY_MS);
    await abandonIdle();
    expect(await states(journeys)).toEqual(journeys.map(() => 'ABANDONED'));
    for (const { id } of journeys) {
      const abandoned = (await records.events(id)).filter((one) =>
        one.endsWith('journey.abandoned'),
      );
      expect(abandoned).toHaveLength(1);
    }
  });
});
