import { expect, it, vi } from 'vitest';
import type { QuestionPayload } from '../../../src/lenders/index.js';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';
import { type TestJourney, journeyBench } from './journey-bench.js';

const ASKED = 200_000_00;
const CHOSEN = 123_456_78;
const CALLS = ['ask', 'quote', 'verifyAccount', 'openSession'] as const;

const bench = journeyBench({ isOneLender: true });

/** The applicant opens the provider's page, returns too early, and then approves there. */
async function passStep(journey: TestJourney, step: string, next: string): Promise<void> {
  const page = await journey.providerPage();
  expect((await journey.returned(step)).status).toBe(200);
  expect((await journey.read()).state).toBe(`${step}_PENDING`);
  await bench.browse(page, { decision: 'approve' });
  await journey.reaches(next);
}

it('lenders get the amount asked for until the choice, the chosen one and its net after it, and then their own reference', async () => {
  const spies = CALLS.map((call) => ({ call, spy: vi.spyOn(bench.lender, call) }));
  const journey = await bench.startWithOffers();
  const { createdAt, applicationId } = await journey.read();
  await journey.select({ loanAmount: CHOSEN / 100 });
  const { selectedOffer } = await journey.read();
  await passStep(journey, 'KYC', 'BANK_ACCOUNT_PENDING');
  await journey.submitAccount();
  await passStep(journey, 'MANDATE', 'ESIGN_PENDING');
  await passStep(journey, 'ESIGN', 'SANCTIONED');

  const asked = spies.flatMap(({ call, spy }) =>
    (spy.mock.calls as [{ kind?: string; step?: string; payload: QuestionPayload }][]).map(
      ([{ kind, step, payload }]) => ({ about: kind ?? `${call} ${step ?? ''}`.trim(), payload }),
    ),
  );
  const before = { loanAmount: ASKED };
  const netDisbursed = Math.round(selectedOffer!.netDisbursedAmount * 100);
  expect(netDisbursed).toBeLessThan(CHOSEN);
  const after = {
    loanAmount: CHOSEN,
    netDisbursed,
    applicationReference: expect.any(String) as string,
  };
  const expected: Record<string, object> = {
    OFFERS: before,
    quote: before,
    'openSession KYC': after,
    KYC: after,
    verifyAccount: after,
    'openSession MANDATE': after,
    MANDATE: after,
    'openSession ESIGN': after,
    ESIGN: after,
    DISBURSEMENT: after,
  };
  for (const { about, payload } of asked) {
    const { loanAmount, netDisbursed: net, applicationReference } = payload;
    expect({ about, loanAmount, netDisbursed: net, applicationReference }).toEqual({
      about,
      ...expected[about],
    });
  }
  expect(new Set(asked.map(({ about }) => about))).toEqual(new Set(Object.keys(expected)));
  const payloadOf = (kind: string) => asked.find(({ about }) => about === kind)!.payload;
  expect(payloadOf('DISBURSEMENT').bankAccount).toEqual(BANK_ACCOUNT);
  const [{ until }] = await bench.query<{ until: Date }>(
    'SELECT offers_given_up_at AS until FROM journeys WHERE id = $1',
    [journey.id],
  );
  expect(payloadOf('OFFERS')).toMatchObject({
    subjectKind: 'JOURNEY',
    applicationId,
    consent: { givenBy: 'PARTNER', basis: 'AGREEMENT', givenAt: createdAt },
    usefulUntil: until.toISOString(),
  });
});
