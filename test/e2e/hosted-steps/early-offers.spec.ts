import { describe, expect, it } from 'vitest';
import { HostedVisits, JourneyHistories } from '../../../src/journeys/index.js';
import { translate } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { formOf } from '../../support/hosted-client.js';
import { partnerClient } from '../../support/partner-client.js';
import { holdOffers, NOW, offersCome, waitingWith } from './early-offers.js';
import { eventsOf, trailOf } from './leaving-bench.js';
import { hostedService, type StepJourney } from './step-journey.js';

const SLOW = 'tarangudyam';
const ASKED = translate('en', 'offers.without.waiting');

const service = hostedService();

async function press(journey: StepJourney) {
  await journey.client.open('/hosted/waiting');
  return journey.client.send303({}, { action: NOW });
}

/** The offers in each displayed comparison, in order. */
async function comparisonsOf(journey: StepJourney): Promise<number[]> {
  const rows = await journey.query<{ content: string }>(
    `SELECT content FROM offer_presentations WHERE subject_id = $1 AND kind = 'SHOWN'
     ORDER BY recorded_at, id`,
  );
  return rows.map(({ content }) => (JSON.parse(content) as { offers: unknown[] }).offers.length);
}

/** The status of the slow lender's question, and what the journey keeps about that lender. */
async function slowLender(journey: StepJourney): Promise<(string | null)[]> {
  const [row] = await journey.query<{ status: string; standing: string | null }>(
    `SELECT q.status, (SELECT l ->> 'standing'
       FROM json_array_elements(j.lenders_without_offer::json -> 'lenders') AS l
       WHERE l ->> 'code' = q.lender_code) AS standing
     FROM lender_questions AS q JOIN journeys AS j ON j.id = q.subject_id
     WHERE j.id = $1 AND q.kind = 'OFFERS' AND q.lender_code = '${SLOW}'`,
  );
  return [row.status, row.standing];
}

/** The state, and how many offers the partner and its workbench see. */
async function shownAfterStop({ start, key }: StepJourney) {
  await service.get<HostedVisits>(HostedVisits).stop(key);
  const { data } = (await partnerClient(service).journey(start.id)).json;
  const histories = service.get<JourneyHistories>(JourneyHistories);
  const history = await histories.find(key.partnerId, start.id);
  return [data.state, data.offers.length, history!.offers.length];
}

describe('the offers before every lender has answered', () => {
  it('are opened by a press, once; a late offer joins them', async () => {
    const deliver = holdOffers(service, [SLOW]);
    const journey = await waitingWith(2, service);
    const { client } = journey;
    const waiting = await client.open('/hosted/waiting');
    const { hidden } = formOf(waiting, NOW);
    const page = await press(journey);
    expect([page.path, page.text]).toEqual(['/hosted/offers', expect.stringContaining(ASKED)]);
    expect(page.text).toContain('data-refresh-seconds');
    // A double press sends the same form again.
    expect((await client.follow(await client.post(NOW, hidden))).path).toBe('/hosted/offers');
    expect(await trailOf(journey)).toContain('OFFERS_OPENED');
    const events = [
      [1, 'journey.initiated'],
      [2, 'journey.offers_received'],
    ];
    expect(await eventsOf(journey)).toEqual(events);
    expect((await slowLender(journey))[0]).toBe('OPEN');

    await deliver(journey, SLOW);
    await offersCome(journey, 3);
    const later = await client.open('/hosted/offers');
    expect(later.text.match(/<article/g)).toHaveLength(3);
    for (const over of [ASKED, 'data-refresh-seconds']) expect(later.text).not.toContain(over);
    expect(await comparisonsOf(journey)).toEqual([2, 3]);
    expect(await eventsOf(journey)).toEqual(events);
    expect(await trailOf(journey)).not.toContain('OFFERS_ARRIVED');
  });

  it('are chosen from: a later offer is stored, and moves nothing', async () => {
    const deliver = holdOffers(service, [SLOW]);
    const journey = await waitingWith(2, service);
    await press(journey);
    await journey.driveTo('KYC_PENDING');
    expect(await slowLender(journey)).toEqual(['CLOSED', 'NO_ANSWER']);
    const [trail, events] = [await trailOf(journey), await eventsOf(journey)];

    await deliver(journey, SLOW);
    await eventually(async () => {
      const kept = await journey.query(
        `SELECT answer_sealed IS NOT NULL AS "isKept" FROM lender_inbox
         WHERE subject_id = $1 AND lender_code = $2 AND consumed_at IS NOT NULL`,
        [journey.start.id, SLOW],
      );
      expect(kept).toEqual([{ isKept: true }]);
    });
    expect((await journey.view()).offers).toHaveLength(2);
    expect([await trailOf(journey), await eventsOf(journey)]).toEqual([trail, events]);
    await journey.driveTo('SANCTIONED');
  });

  it('are not shown to the partner when the applicant stops before', async () => {
    holdOffers(service, [SLOW]);
    const journey = await waitingWith(2, service);
    expect(await shownAfterStop(journey)).toEqual(['ABANDONED', 0, 0]);
  });

  it('stay shown when the applicant stops after the comparison, and no lender is asked', async () => {
    holdOffers(service, [SLOW]);
    const journey = await waitingWith(2, service);
    await press(journey);
    expect(await shownAfterStop(journey)).toEqual(['ABANDONED', 2, 2]);
    expect(await slowLender(journey)).toEqual(['CLOSED', 'NO_ANSWER']);
  });

  it('are not opened while there are fewer than two', async () => {
    const deliver = holdOffers(service, [SLOW, 'kaverisetu']);
    const journey = await waitingWith(1, service);
    const { client } = journey;
    const waiting = await client.open('/hosted/waiting');
    expect(() => formOf(waiting, NOW)).toThrow('no form');
    const { stamp: shown } = await journey.view();
    await deliver(journey, 'kaverisetu');
    await offersCome(journey, 2);
    // The token from the page with the form.
    const { hidden } = formOf(await client.open('/hosted/waiting'), NOW);
    expect(hidden.shown).toBe(shown);
    expect((await client.post(NOW, { shown })).status).toBe(403);
    // First one lender is left, then none.
    for (const lender of ['kaverisetu', '%']) {
      await journey.query(
        `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute'
         WHERE journey_id = $1 AND lender_code LIKE '${lender}'`,
      );
      const refused = await client.follow(await client.post(NOW, hidden));
      expect(refused.path).toBe('/hosted/waiting');
      expect(() => formOf(refused, NOW)).toThrow('no form');
      expect(await trailOf(journey)).not.toContain('OFFERS_OPENED');
    }
  });
});
