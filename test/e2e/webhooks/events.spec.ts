import { beforeAll, describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '../../../src/webhooks/index.js';
import { journeyIn } from '../../support/journey-driver.js';
import { sharedService } from '../../support/shared-service.js';
import { SendingBench } from './sending-bench.js';

const [SENT, THEIRS, OURS] = ['1', '2', '3'].map((digit) => `jrn_${digit.repeat(32)}`);

// The order of the stream, its pages and its cursors: event-stream.isolated.spec.ts.

interface Page {
  events: { id: string; event: string; journeyId: string; sequence: number }[];
  next: string;
  hasMore: boolean;
}

let ours: SendingBench;
let theirs: SendingBench;

beforeAll(async () => {
  ours = new SendingBench(await sharedService());
  theirs = new SendingBench(await sharedService());
});

async function page(query = '', { partner } = ours): Promise<Page> {
  const { status, json } = await partner.get<Page>(`/events${query}`);
  expect(status).toBe(200);
  return json.data;
}

async function end(of = ours): Promise<string> {
  let at = await page('', of);
  while (at.hasMore) at = await page(`?after=${at.next}`, of);
  return at.next;
}

describe('GET /events answers 200', () => {
  it('with the events of a partner that has no webhook, in their order', async () => {
    const start = await end();
    const { id } = await journeyIn(ours.partner, 'SANCTIONED');
    const events: Page['events'] = [];
    for (let at = await page(`?after=${start}&limit=3`); ;) {
      events.push(...at.events);
      if (!at.hasMore) break;
      at = await page(`?after=${at.next}&limit=3`);
    }
    expect(events.map(({ journeyId, sequence }) => [journeyId, sequence])).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((sequence) => [id, sequence]),
    );
    expect([events[0].event, events[6].event]).toEqual(['journey.initiated', 'journey.completed']);
  });

  it('with the very bytes that a receiver gets', async () => {
    await ours.openReceiver();
    const start = await end();
    await ours.subscribe();
    await ours.publish(1, { journeyId: SENT });
    const [delivery] = await ours.receiver.waitForCount(1);
    const answer = await ours.partner.get(`/events?after=${start}`);
    expect(answer.body.toString('utf8')).toContain(`"events":[${delivery.body.toString('utf8')}]`);
    await ours.closeReceiver();
  });

  it('with nothing of another partner, to which a cursor of this one is expired', async () => {
    const starts = [await end(), await end(theirs)];
    await theirs.publish(1, { journeyId: THEIRS });
    await ours.publish(1, { journeyId: OURS });
    const journeysOf = async (after: string, of: SendingBench) =>
      (await page(`?after=${after}`, of)).events.map(({ journeyId }) => journeyId);
    expect(await journeysOf(starts[0], ours)).toEqual([OURS]);
    expect(await journeysOf(starts[1], theirs)).toEqual([THEIRS]);
    const foreign = await theirs.partner.get(`/events?after=${await end()}`);
    expect(foreign).toMatchObject({ status: 410, json: { code: 'cursor_expired' } });
  });
});

describe('GET /events answers 400', () => {
  it.each([
    ['1', 'journey.lost', '101'],
    ['evc_MQ', ',', '1.5'],
    ['evc_', 'journey.initiated,', '0'],
  ])('and names every parameter that cannot be understood: %s, %s and %s', async (...values) => {
    const [after, events, limit] = values;
    const { status, json } = await ours.partner.get(
      `/events?after=${after}&events=${events}&limit=${limit}`,
    );
    expect(status).toBe(400);
    expect(json.details).toEqual([
      { field: 'after', message: 'must be `next` from an earlier response of this call' },
      { field: 'events', message: `must be names from ${EVENT_NAMES.join(', ')}` },
      { field: 'limit', message: 'must be a whole number from 1 to 100' },
    ]);
  });
});
