import { expect, it } from 'vitest';
import { refusal, journeyBench } from './journey-bench.js';

const KIND = 'SELECT_GOLD_LOAN_BRANCH';
const GOLD = { productCode: 'ONLINE_GOLD' };

const bench = journeyBench();

it('a branch comes after the offer, and the branch is shown as selected from then on', async () => {
  const journey = await bench.startWithOffers(GOLD);
  const [, other] = await journey.offers();
  expect(
    refusal(
      await journey.act(KIND, {
        offerId: other.offerId,
        branchLocationId: other.branchLocations![0].id,
      }),
    ),
  ).toEqual([409, 'wrong_step']);
  const chosen = await journey.select({ loanAmount: 50_000 });
  expect(chosen.json.data.nextAction).toEqual({ type: KIND, category: 'ACTION' });
  const { selectedOffer, state } = await journey.read();
  expect(state).toBe('OFFER_SELECTED');
  expect(selectedOffer).not.toHaveProperty('branchLocation');

  const branch = selectedOffer!.branchLocations![1];
  const branchLocationId = branch.id;
  const foreign = other.branchLocations![0].id;
  for (const [payload, field] of [
    [{ branchLocationId: foreign }, 'branchLocationId'],
    [{ branchLocationId: 'brn_1' }, 'branchLocationId'],
    [{}, 'branchLocationId'],
    [{ branchLocationId: 7 }, 'branchLocationId'],
    [{ offerId: other.offerId, branchLocationId }, 'offerId'],
  ] as const) {
    const { status, json } = await journey.act(KIND, payload);
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    expect(json.details.map((one) => one.field)).toEqual([`payload.${field}`]);
  }
  expect((await journey.read()).state).toBe('OFFER_SELECTED');

  const payload = { offerId: selectedOffer!.offerId, branchLocationId };
  const answer = await journey.act(KIND, payload);
  expect(answer.status).toBe(200);
  expect(answer.json.data.nextAction).toMatchObject({ type: 'REDIRECT_TO_KYC' });
  const after = await journey.read();
  expect(after.state).toBe('KYC_PENDING');
  expect(after.selectedOffer!.branchLocation).toEqual({ ...branch, isSelected: true });
  const selected = after.offers.flatMap((offer) =>
    offer.branchLocations!.filter(({ isSelected }) => isSelected).map(({ id }) => id),
  );
  expect(selected).toEqual([branch.id]);
  // The contract has no event for the choice of a branch.
  expect((await journey.eventNames()).at(-1)).toBe('journey.offer_selected');
  expect(refusal(await journey.act(KIND, payload))).toEqual([409, 'wrong_step']);
});

it('a branch needs no offer to be named with it', async () => {
  const journey = await bench.startWithOffers(GOLD);
  await journey.select();
  const { selectedOffer } = await journey.read();
  const branchLocationId = selectedOffer!.branchLocations![0].id;
  expect((await journey.act(KIND, { branchLocationId })).status).toBe(200);
});

it('a branch is 409 wherever no gold is lent on', async () => {
  const journey = await bench.startWithOffers();
  await journey.select();
  expect(refusal(await journey.act(KIND, { branchLocationId: 'brn_1' }))).toEqual([
    409,
    'wrong_step',
  ]);
  expect((await journey.read()).state).toBe('KYC_PENDING');
});
