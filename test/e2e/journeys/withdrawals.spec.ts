import { expect, it } from 'vitest';
import { type TestJourney, journeyBench } from './journey-bench.js';

const bench = journeyBench();

async function reasonsTold(journey: TestJourney): Promise<string[]> {
  const withdrawals = await journey.withdrawals();
  return withdrawals.map(({ lender, reference }) => `${lender} ${reference}`);
}

it('a withdrawal tells the lenders that were not chosen, nothing of the applicant, and later the chosen one that the journey was rejected', async () => {
  // KYC is refused.
  const journey = await bench.startWithOffers({ pan: 'SANDX0005A' });
  await journey.select();
  const { selectedOffer, applicationId } = await journey.read();
  const chosen = selectedOffer!.sellerName.split(' ')[0].toLowerCase();
  const others = ['kaverisetu', 'navdhara', 'tarangudyam'].filter((code) => code !== chosen);
  const notChosen = others.map((code) => `${code} NOT_CHOSEN`);
  expect(await reasonsTold(journey)).toEqual(notChosen);
  for (const { payload } of await journey.withdrawals()) {
    expect(payload).toEqual({
      subjectKind: 'JOURNEY',
      applicationId,
      productCode: 'ONLINE_PERSONAL',
      loanAmount: 200_000_00,
      applicant: { mobile: '', pan: '' },
      offerReference: expect.any(String),
      withdrawal: { reason: 'NOT_CHOSEN' },
    });
  }
  await journey.goOnTo('REJECTED');
  expect(await reasonsTold(journey)).toEqual([...notChosen, `${chosen} ENDED`].toSorted());
});

it('a withdrawal tells no lender that has declined', async () => {
  // One offer; the others decline.
  const journey = await bench.startWithOffers({ pan: 'SANDX0003A' });
  await journey.select();
  expect(await journey.withdrawals()).toEqual([]);
});
