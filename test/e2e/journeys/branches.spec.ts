import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JourneyBench, type TestJourney } from './journey-bench.js';

const KIND = 'SELECT_GOLD_LOAN_BRANCH';
const GOLD = { productCode: 'ONLINE_GOLD' };

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
});

afterAll(() => bench.close());

describe('200: a branch is selected', () => {
  it('comes after the offer, and the branch is shown as selected from then on', async () => {
    const journey = await bench.startWithOffers(GOLD);
    const chosen = await journey.select({ loanAmount: 50_000 });
    expect(chosen.json.data.nextAction).toEqual({ type: KIND, category: 'ACTION' });
    const { selectedOffer, state } = await journey.read();
    expect(state).toBe('OFFER_SELECTED');
    expect(selectedOffer).not.toHaveProperty('branchLocation');

    const branch = selectedOffer!.branchLocations![1];
    const answer = await journey.act(KIND, {
      offerId: selectedOffer!.offerId,
      branchLocationId: branch.id,
    });
    expect(answer.status).toBe(200);
    expect(answer.json.data.nextAction).toMatchObject({ type: 'REDIRECT_TO_KYC' });
    const after = await journey.read();
    expect(after.state).toBe('KYC_PENDING');
    expect(after.selectedOffer!.branchLocation).toEqual({ ...branch, isSelected: true });
    const selected = after.offers.flatMap((offer) =>
      offer.branchLocations!.filter(({ isSelected }) => isSelected).map(({ id }) => id),
    );
    expect(selected).toEqual([branch.id]);
    // The choice of a branch is no event of the contract.
    expect((await journey.eventNames()).at(-1)).toBe('journey.offer_selected');
  });

  it('works without the offer being named', async () => {
    const journey = await bench.startWithOffers(GOLD);
    await journey.select();
    const { selectedOffer } = await journey.read();
    const branchLocationId = selectedOffer!.branchLocations![0].id;
    expect((await journey.act(KIND, { branchLocationId })).status).toBe(200);
  });
});

describe('400: not a branch of the selected offer', () => {
  let journey: TestJourney;
  let selected: string;
  let other: { offerId: string; branchId: string };

  beforeAll(async () => {
    journey = await bench.startWithOffers(GOLD);
    await journey.select();
    const { offers, selectedOffer } = await journey.read();
    selected = selectedOffer!.offerId;
    const another = offers.find(({ offerId }) => offerId !== selected)!;
    other = { offerId: another.offerId, branchId: another.branchLocations![0].id };
  });

  afterAll(async () => {
    expect((await journey.read()).state).toBe('OFFER_SELECTED');
    expect((await journey.goOnTo('KYC_PENDING')).state).toBe('KYC_PENDING');
  });

  const fieldsOf = async (payload: object) => {
    const { status, json } = await journey.act(KIND, payload);
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    return json.details.map(({ field }) => field);
  };

  it('when the branch is another lender’s, or none at all', async () => {
    for (const branchLocationId of [other.branchId, 'brn_1', 'x']) {
      expect(await fieldsOf({ branchLocationId })).toEqual(['payload.branchLocationId']);
    }
    expect(await fieldsOf({})).toEqual(['payload.branchLocationId']);
    expect(await fieldsOf({ branchLocationId: 7 })).toEqual(['payload.branchLocationId']);
  });

  it('when the offer is not the selected one', async () => {
    const branchLocationId = (await journey.read()).selectedOffer!.branchLocations![0].id;
    const payload = { offerId: other.offerId, branchLocationId };
    expect(await fieldsOf(payload)).toEqual(['payload.offerId']);
  });
});

describe('409: at the wrong step', () => {
  it('is the answer before the offer is selected and after the branch is', async () => {
    const journey = await bench.startWithOffers(GOLD);
    const { offerId, branchLocations } = (await journey.offers())[0];
    const payload = { offerId, branchLocationId: branchLocations![0].id };
    const early = await journey.act(KIND, payload);
    expect([early.status, early.json.code]).toEqual([409, 'wrong_step']);
    await journey.select({ offerId });
    expect((await journey.act(KIND, payload)).status).toBe(200);
    const again = await journey.act(KIND, payload);
    expect([again.status, again.json.code]).toEqual([409, 'wrong_step']);
  });

  it('is the answer wherever no gold is lent on', async () => {
    const journey = await bench.startWithOffers();
    await journey.select();
    const { status, json } = await journey.act(KIND, { branchLocationId: 'brn_1' });
    expect([status, json.code]).toEqual([409, 'wrong_step']);
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });
});
