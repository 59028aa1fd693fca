import { expect, it, vi } from 'vitest';
import { refusal, journeyBench } from './journey-bench.js';

const KIND = 'SELECT_GOLD_LOAN_BRANCH';
const GOLD = { productCode: 'ONLINE_GOLD' };
const FORT = {
  reference: 'FORT:1',
  name: 'Fort',
  address: '4 Horniman Circle, Mumbai 400001',
  latitude: 18.93,
  longitude: 72.83,
};
const BYCULLA = { ...FORT, reference: 'FORT:2', name: 'Byculla' };

const bench = journeyBench();

it('a branch comes after the offer, needs no offer to be named with it, and is shown as selected from then on', async () => {
  const journey = await bench.startWithOffers(GOLD);
  const [, other] = await journey.offers();
  const foreign = other.branchLocations[0].id;
  expect(refusal(await journey.act(KIND, { branchLocationId: foreign }))).toEqual([
    409,
    'wrong_step',
  ]);
  const chosen = await journey.select({ loanAmount: 50_000 });
  expect(chosen.json.data.nextAction).toEqual({ type: KIND, category: 'ACTION' });
  const { selectedOffer } = await journey.read();
  expect(selectedOffer).not.toHaveProperty('branchLocation');
  const { offerId, branchLocations } = selectedOffer!;
  const branch = branchLocations[1];
  const branchLocationId = branch.id;
  for (const [payload, field] of [
    [{ offerId, branchLocationId: foreign }, 'branchLocationId'],
    [{}, 'branchLocationId'],
    [{ branchLocationId: 7 }, 'branchLocationId'],
    [{ offerId: other.offerId, branchLocationId }, 'offerId'],
  ] as const) {
    const { status, json } = await journey.act(KIND, payload);
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    expect(json.details.map((one) => one.field)).toEqual([`payload.${field}`]);
  }
  expect((await journey.read()).state).toBe('OFFER_SELECTED');
  const answer = await journey.act(KIND, { branchLocationId });
  expect(answer.json.data.nextAction).toMatchObject({ type: 'REDIRECT_TO_KYC' });
  const after = await journey.read();
  expect(after.state).toBe('KYC_PENDING');
  expect(after.selectedOffer!.branchLocation).toEqual({ ...branch, isSelected: true });
  const selected = after.offers.flatMap((offer) =>
    offer.branchLocations.filter(({ isSelected }) => isSelected).map(({ id }) => id),
  );
  expect(selected).toEqual([branch.id]);
  // The contract has no event for the choice of a branch.
  expect((await journey.eventNames()).at(-1)).toBe('journey.offer_selected');
});

it('a lender’s own branches are those to choose from, under ids of the service, and the lender gets its own reference', async () => {
  bench.lendersOffer((offer) => [{ ...offer, branches: [FORT, BYCULLA, FORT] }]);
  const journey = await bench.startWithOffers(GOLD);
  const [{ branchLocations }] = await journey.offers();
  expect(branchLocations).toMatchObject([{ branchName: 'Fort' }, { branchName: 'Byculla' }]);
  await journey.select();
  const { id } = branchLocations[1];
  expect(id).toMatch(/^brn_[0-9a-f]{32}$/);
  await journey.act(KIND, { branchLocationId: id });
  const open = vi.spyOn(bench.lender, 'openSession');
  await bench.visit(await journey.redirectUrl());
  expect(open.mock.calls[0][0].payload.branchReference).toBe('FORT:2');
});
