import { describe, expect, it } from 'vitest';
import { addDays, dayInIndia, instantInIndia } from '../../../src/loans/index.js';
import { MINUTE, journeyBench } from './journey-bench.js';

const bench = journeyBench();

describe('a journey that is read again', () => {
  it('shows no offer that has just expired, by its own time or by another hand', async () => {
    const journey = await bench.startWithOffers();
    const { offers } = await journey.read();
    const [first] = offers
      .slice(0, 2)
      .toSorted((one, other) => (one.validUntil < other.validUntil ? -1 : 1));
    const timesOf = async () => (await journey.read()).offers.map(({ validUntil }) => validUntil);
    await bench.query(
      `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE id = $1`,
      [offers[2].offerId],
    );
    expect(await timesOf()).toHaveLength(2);
    await bench.query(
      `UPDATE journey_offers SET valid_until = app_now() + interval '1 minute' WHERE id = $1`,
      [first.offerId],
    );
    expect(await timesOf()).toHaveLength(2);
    await bench.service.travel(61_000);
    expect(await timesOf()).toHaveLength(1);
  });

  it('has the interval and the lenders that were not asked as they are configured now', async () => {
    const journey = await bench.startWithOffers();
    await journey.read();
    await bench.configure(
      `UPDATE configuration SET settings = settings || '{"pollIntervalSeconds": 7}'`,
    );
    expect(await journey.read()).toMatchObject({ pollIntervalSeconds: 7 });
    await bench.configure(`UPDATE configuration SET settings = settings - 'pollIntervalSeconds'`);
    await bench.configure(
      `INSERT INTO lenders SELECT (jsonb_populate_record(l, '{"code": "newcomer", "is_enabled": false}')).*
       FROM lenders AS l WHERE code = 'navdhara'`,
    );
    await journey.read();
    await bench.configure(`UPDATE lenders SET code = 'renamed' WHERE code = 'newcomer'`);
    await journey.read();
    const rows = await bench.query<{ notAsked: unknown[] }>(
      `SELECT content::json -> 'lendersNotAsked' AS "notAsked" FROM offer_presentations
       WHERE subject_id = $1 ORDER BY recorded_at`,
      [journey.id],
    );
    expect(rows).toMatchObject([
      { notAsked: [] },
      { notAsked: [{ code: 'newcomer', reason: 'SWITCHED_OFF' }] },
      { notAsked: [{ code: 'renamed' }] },
    ]);
    await bench.configure(`DELETE FROM lenders WHERE code = 'renamed'`);
  });

  it('is recorded on either side of midnight in India', async () => {
    const now = bench.service.now();
    const midnight = instantInIndia(addDays(dayInIndia(now), 2), 0).getTime();
    await bench.service.travel(midnight - 2 * MINUTE - now.getTime());
    const journey = await bench.startWithOffers();
    await journey.read();
    await bench.service.travel(4 * MINUTE);
    await journey.read();
    const rows = await bench.query(
      `SELECT DISTINCT day FROM offer_presentations WHERE subject_id = $1`,
      [journey.id],
    );
    expect(rows).toHaveLength(2);
  });
});
