import { beforeAll, expect, it, vi } from 'vitest';
import { formOf } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { openConfirmation, othersOf } from './leaving-bench.js';
import { StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const STOP = 'href="/hosted/stop"';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

it('where the applicant commits themselves, the page says what a no costs; the link of a step takes no refusal', async () => {
  // The payout takes half a minute.
  const journey = await StepJourney.at('OFFERS_RECEIVED', service, { pan: 'SANDX0008A' });
  const { client } = journey;
  const page = await openConfirmation(client, (await journey.view()).offers[0]);
  expect(wordsOf(page)).toContain('You’re not committed until you sign.');
  expect(page.text).toContain('href="/hosted/offers">Back to the offers');
  expect(page.text).toContain(STOP);

  const { redirect } = await journey.driveTo('KYC_PENDING');
  const another = await openConfirmation(client, othersOf(await journey.view())[0]);
  expect(wordsOf(another)).toContain('You’re not committed until you sign.');
  expect(another.text).toContain(STOP);
  const link = new URL(redirect!.url).pathname;
  const refusal = await client.get(`${link}/stop`);
  expect([refusal.status, refusal.location]).toEqual([303, link]);
  const { hidden } = formOf(await client.open('/hosted/stop'));
  expect((await client.post(`${link}/stop`, hidden)).status).toBe(303);
  expect((await journey.view()).state).toBe('KYC_PENDING');

  await journey.driveTo('MANDATE_PENDING');
  const mandate = await client.open('/hosted');
  expect(wordsOf(mandate)).toContain(
    'Rinpath gets none of it; if you pay late, it may contact you for Navdhara.',
  );
  expect(mandate.text).toContain(STOP);
  await journey.query(
    `UPDATE journey_offers SET terms = jsonb_set(terms, '{recoveryAgentLsp}', 'null')
     WHERE journey_id = $1`,
  );
  const noAgent = wordsOf(await client.open('/hosted'));
  expect(noAgent).toContain('Rinpath gets none of it.');
  expect(noAgent).not.toContain('may contact you');

  await journey.driveTo('ESIGN_PENDING');
  const signing = await client.open('/hosted');
  for (const said of [
    'Your signature binds you.',
    'Changing your mind 3 days after payout, no penalty',
    'plus about ₹71 for each day',
    'Navdhara Capital Limited may collect nothing, but Autopay stays until',
  ])
    expect(wordsOf(signing)).toContain(said);
  expect(signing.text).toContain(STOP);

  await journey.driveTo('DISBURSEMENT_PENDING');
  const money = await client.open('/hosted');
  expect([money.path, money.heading]).toEqual(['/hosted/disbursement', 'Your money is on its way']);
  for (const said of [
    'only Navdhara can stop it. Call: 1800 000 1400',
    'Until money has reached you there is nothing to repay',
    'Changing your mind 3 days after payout, no penalty',
    '••••9012',
  ])
    expect(wordsOf(money)).toContain(said);
  expect(money.text).toContain('http-equiv="refresh"');
  expect(money.text).not.toContain('123456789012');
  expect(money.text).not.toContain(STOP);
});
