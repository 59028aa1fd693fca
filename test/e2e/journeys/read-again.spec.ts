import { describe, expect, it } from 'vitest';
import { journeyBench } from './journey-bench.js';

const bench = journeyBench();

describe('a journey that is read again', () => {
  it('shows no offer that has just expired, by its own time or by another hand', async () => {
    const journey = await bench.startWithOffers();
    const [first, , last] = await journey.offers();
    const expires = (offerId: string, at: string) =>
      bench.query(`UPDATE journey_offers SET valid_until = app_now() ${at} WHERE id = $1`, [
        offerId,
      ]);
    await expires(last.offerId, `- interval '1 minute'`);
    expect(await journey.offers()).toHaveLength(2);
    await expires(first.offerId, `+ interval '1 minute'`);
    expect(await journey.offers()).toHaveLength(2);
    await bench.service.travel(61_000);
    expect(await journey.offers()).toHaveLength(1);
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
    await bench.configure(`DELETE FROM lenders WHERE code = 'newcomer'`);
    const rows = await bench.query<{ notAsked: unknown[] }>(
      `SELECT content::json -> 'lendersNotAsked' AS "notAsked" FROM offer_presentations
       WHERE subject_id = $1 ORDER BY recorded_at`,
      [journey.id],
    );
    expect(rows).toMatchObject([
      { notAsked: [] },
      { notAsked: [{ code: 'newcomer', reason: 'SWITCHED_OFF' }] },
    ]);
  });
});
