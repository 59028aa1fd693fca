// Isolated: its process is killed.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { confirmed, type HostedClient, startHosted } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { CLOCK_MS, KillableService, TEST_MS } from './killable-service.js';

const ACTION_LEASE_MS = 30_000;
const PATIENT = { withinMs: 30_000 };

vi.setConfig({ testTimeout: 2 * TEST_MS, hookTimeout: TEST_MS });

let service: KillableService;
/** Whose applicant presses again. */
let pressed: Journey;
/** Whose applicant does nothing more. */
let left: Journey;

beforeAll(async () => {
  service = await KillableService.open();
  [pressed, left] = [await beforeTheChange(), await beforeTheChange()];
  await cutShort([pressed, left]);
  await service.start();
});

afterAll(() => service?.close());

interface Journey {
  readonly id: string;
  readonly client: HostedClient;
  readonly offers: readonly { id: string; lender: string }[];
}

/** What the screens' helpers need of a service. */
function face(): TestService {
  const { baseUrl } = service.running;
  return { baseUrl, now: () => new Date() } as TestService;
}

async function confirm(client: HostedClient, offerId: string): Promise<void> {
  const page = await client.open(`/hosted/offers/${offerId}/confirm?amount=150000`);
  expect(page.path).toContain('/confirm');
}

/** A hosted journey whose applicant has chosen an offer and read the statement of another one. */
async function beforeTheChange(): Promise<Journey> {
  const start = await startHosted(face());
  const client = await confirmed(face(), start);
  await eventually(async () => {
    expect(await service.records.state(start.id)).toBe('OFFERS_RECEIVED');
  }, PATIENT);
  const offers = await service.records.query<{ id: string; lender: string }>(
    `SELECT id, lender_code AS lender FROM journey_offers WHERE journey_id = $1
     ORDER BY (figures ->> 'apr')::numeric`,
    [start.id],
  );
  await confirm(client, offers[0].id);
  await client.submit({ hasRead: '1' });
  expect(await service.records.state(start.id)).toBe('KYC_PENDING');
  await confirm(client, offers[1].id);
  return { id: start.id, client, offers };
}

/** Confirms the other offers, and kills the process after the lenders have taken them, before they are recorded. */
async function cutShort(journeys: readonly Journey[]): Promise<void> {
  const lock = await service.hold('LOCK TABLE journey_redirects IN EXCLUSIVE MODE');
  const answers = journeys.map(({ client }) =>
    client.submit({ hasRead: '1' }).then(
      ({ status }) => status,
      () => 'no answer',
    ),
  );
  await lock.waiting('journey_redirects', journeys.length);
  await service.killAt(lock);
  expect(await Promise.all(answers)).toEqual(journeys.map(() => 'no answer'));
  for (const { id, offers } of journeys) {
    // The choice from before stands whole.
    expect(await chosen(id)).toBe(offers[0].id);
    expect(await told(id)).toEqual([]);
  }
}

async function chosen(id: string): Promise<string> {
  const [row] = await service.records.query<{ id: string }>(
    'SELECT selected_offer_id AS id FROM journeys WHERE id = $1',
    [id],
  );
  return row.id;
}

function told(id: string): Promise<object[]> {
  return service.records.query(
    `SELECT lender_code AS lender, reference FROM lender_questions
     WHERE subject_id = $1 AND kind = 'WITHDRAWAL'`,
    [id],
  );
}

async function expectChangedOnce({ id, offers }: Journey): Promise<void> {
  await eventually(async () => expect(await chosen(id)).toBe(offers[1].id), PATIENT);
  expect(await service.records.trail(id)).toEqual([
    'STARTED',
    'CONSENTED',
    'CONFIRMED',
    'OFFERS_ARRIVED',
    'OFFER_SELECTED',
    'OFFER_LET_GO',
    'OFFER_SELECTED',
  ]);
  expect(await told(id)).toEqual([{ lender: offers[0].lender, reference: 'NOT_CHOSEN' }]);
  expect(await service.records.events(id)).toEqual([
    '1 journey.initiated',
    '2 journey.offers_received',
    '3 journey.offer_selected',
    '4 journey.offer_selected',
  ]);
}

describe('killed between the new lender’s word and its record', () => {
  it('has whoever presses again make it, once', async () => {
    await service.records.travel(ACTION_LEASE_MS);
    const again = pressed.client.copy(face().baseUrl);
    await again.submit({ hasRead: '1' });
    await expectChangedOnce(pressed);
  });

  it('has the scheduler make the change, once', async () => {
    await service.travel(CLOCK_MS);
    await expectChangedOnce(left);
  });
});
