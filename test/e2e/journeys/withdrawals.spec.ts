import { describe, expect, it } from 'vitest';

import { Keyring } from '../../../src/platform/index.js';
import { type TestJourney, journeyBench } from './journey-bench.js';

const bench = journeyBench();

interface SentWithdrawal {
  lender: string;
  reference: string;
  payload: Record<string, unknown>;
}

/** The withdrawals of a journey, with their payloads. */
async function withdrawalsOf({ id }: TestJourney): Promise<SentWithdrawal[]> {
  const rows = await bench.query<{ lender: string; reference: string; sealed: string }>(
    `SELECT lender_code AS lender, reference, payload_sealed AS sealed FROM lender_questions
     WHERE subject_id = $1 AND kind = 'WITHDRAWAL' ORDER BY lender_code, reference`,
    [id],
  );
  const keyring = bench.service.get(Keyring);
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    payload: JSON.parse(
      keyring.open(sealed, 'lender_questions.payload'),
    ) as SentWithdrawal['payload'],
  }));
}

async function offersOf({ id }: TestJourney): Promise<{ id: string; lender: string }[]> {
  return bench.query(
    'SELECT id, lender_code AS lender FROM journey_offers WHERE journey_id = $1 ORDER BY lender_code',
    [id],
  );
}

const reasons = (withdrawals: SentWithdrawal[]) =>
  withdrawals.map(({ lender, reference }) => [lender, reference]);

describe('a withdrawal', () => {
  it('tells those that were not chosen, and nothing of the applicant', async () => {
    const journey = await bench.startWithOffers();
    const [chosen, ...others] = await offersOf(journey);
    expect(others.length).toBeGreaterThan(0);
    await journey.select({ offerId: chosen.id });
    const withdrawals = await withdrawalsOf(journey);
    expect(reasons(withdrawals)).toEqual(others.map(({ lender }) => [lender, 'NOT_CHOSEN']));
    for (const { payload } of withdrawals) {
      expect(payload).toEqual({
        subjectKind: 'JOURNEY',
        applicationId: (await journey.read()).applicationId,
        productCode: 'ONLINE_PERSONAL',
        loanAmount: 200_000_00,
        applicant: { mobile: '', pan: '' },
        offerReference: expect.any(String),
        withdrawal: { reason: 'NOT_CHOSEN' },
      });
    }
  });

  it('tells none that has declined', async () => {
    // One offer; the others decline.
    const declined = await bench.startWithOffers({ pan: 'SANDX0003A' });
    await declined.select();
    expect(await withdrawalsOf(declined)).toEqual([]);
  });

  it('tells the chosen lender that the journey was rejected', async () => {
    // KYC is rejected.
    const journey = await bench.startWithOffers({ pan: 'SANDX0005A' });
    await journey.select();
    const chosen = await journey.goOnTo('REJECTED');
    const withdrawals = (await withdrawalsOf(journey)).filter(
      ({ reference }) => reference === 'ENDED',
    );
    expect(withdrawals).toMatchObject([{ payload: { withdrawal: { reason: 'ENDED' } } }]);
    const { selectedOffer } = chosen;
    const offers = await offersOf(journey);
    expect(withdrawals[0].lender).toBe(
      offers.find(({ id }) => id === selectedOffer!.offerId)!.lender,
    );
  });
});
