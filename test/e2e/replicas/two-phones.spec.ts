import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HostedClient, HostedPage } from '../../support/hosted-client.js';
import { inForm } from '../../support/long-form.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';
import { HeldOffers, NOW, offersCome, waitingWith } from '../hosted-steps/early-offers.js';
import {
  eventsOf,
  openConfirmation,
  othersOf,
  toldOf,
  trailOf,
} from '../hosted-steps/leaving-bench.js';
import { StepJourney } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const TIMES = inForm({ short: 1, long: 4 });

let replicas: SharedReplicas;

beforeAll(async () => {
  replicas = await sharedReplicas();
});

interface TwoPhones {
  readonly journey: StepJourney;
  readonly first: HostedClient;
  readonly second: HostedClient;
}

/** The applicant's two phones, each at a replica of its own. */
async function twoPhonesAt(state: string): Promise<TwoPhones> {
  const journey = await StepJourney.at(state, replicas.first);
  const first = journey.client.copy();
  return { journey, first, second: journey.client.copy(replicas.second.baseUrl) };
}

/** What holds whichever phone was faster: what a journey has of its choice is of the chosen offer. */
async function expectWhole(journey: StepJourney): Promise<void> {
  const { state, selected, redirect } = await journey.view();
  const trail = await trailOf(journey);
  const changes = trail.filter((trigger) => trigger === 'OFFER_LET_GO').length;
  const told = await toldOf(journey);
  expect(told.map(({ reason }) => reason)).toEqual(Array(changes).fill('NOT_CHOSEN'));
  expect(told.map(({ lender }) => lender)).not.toContain(selected!.offer.lenderCode);
  const numbers = (await eventsOf(journey)).map(([sequence]) => sequence);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  const chosen = (await eventsOf(journey)).filter(([, name]) => name === 'journey.offer_selected');
  expect(chosen).toHaveLength(changes + 1);
  const [row] = await journey.query<{ hasAccount: boolean; lender: string | null; open: number }>(
    `SELECT j.bank_account_sealed IS NOT NULL AS "hasAccount", r.lender_code AS lender,
       (SELECT count(*)::int FROM journey_intents AS i WHERE i.journey_id = j.id AND status = 'OPEN') AS open
     FROM journeys AS j LEFT JOIN journey_redirects AS r ON r.id = j.redirect_id WHERE j.id = $1`,
  );
  expect(row).toEqual({
    hasAccount: state === 'MANDATE_PENDING',
    lender: redirect ? selected!.offer.lenderCode : null,
    open: 0,
  });
  // Nobody is asked about what the journey has left.
  const asked = await journey.query<{ lender: string }>(
    `SELECT lender_code AS lender FROM lender_questions
     WHERE subject_id = $1 AND status = 'OPEN' AND kind <> 'WITHDRAWAL'`,
  );
  for (const { lender } of asked) expect(lender).toBe(selected!.offer.lenderCode);
}

describe('two phones at the same moment', () => {

  it('each chooses another offer: one is chosen, and no lender is left with a choice that is none', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const { journey, first, second } = await twoPhonesAt('KYC_PENDING');
      const [one, other] = othersOf(await journey.view());
      await openConfirmation(first, one);
      await openConfirmation(second, other);
      const pages: HostedPage[] = await Promise.all([
        first.submit({ hasRead: '1' }),
        second.submit({ hasRead: '1' }),
      ]);
      expect(pages.map(({ status }) => status)).toEqual([303, 303]);
      const { selected } = await journey.view();
      expect([one.offerId, other.offerId]).toContain(selected!.offer.offerId);
      await expectWhole(journey);
      const frozen = await journey.query<{ count: number }>(
        'SELECT count(*)::int FROM key_facts_statements WHERE journey_id = $1',
      );
      expect(frozen).toEqual([{ count: 2 }]);
    }
  });
});

describe('two presses and the last answer at the same moment', () => {
  const SLOW = 'tarangudyam';

  afterAll(() => {
    vi.restoreAllMocks();
  });

  it('move the journey once, with one event, and lose no offer', async () => {
    const held = HeldOffers.of([replicas.first, replicas.second], [SLOW]);
    for (let time = 0; time < TIMES; time += 1) {
      const journey = await waitingWith(2, replicas.first);
      const { client } = journey;
      await client.open('/hosted/waiting');
      const other = client.copy(replicas.second.baseUrl);
      const [first, second] = await Promise.all([
        client.submit({}, { action: NOW }),
        other.submit({}, { action: NOW }),
        held.deliver(journey, SLOW, replicas.second),
      ]);
      expect([first.status, second.status]).toEqual([303, 303]);
      await offersCome(journey, 3);
      const { state, lenders } = await journey.view();
      expect(state).toBe('OFFERS_RECEIVED');
      expect(lenders.map(({ status }) => status)).toEqual(['OFFERED', 'OFFERED', 'OFFERED']);
      const moves = (await trailOf(journey)).filter((trigger) => trigger.startsWith('OFFERS_'));
      expect(moves).toEqual([expect.stringMatching(/^OFFERS_(OPENED|ARRIVED)$/)]);
      expect(await eventsOf(journey)).toEqual([
        [1, 'journey.initiated'],
        [2, 'journey.offers_received'],
      ]);
    }
  });
});
