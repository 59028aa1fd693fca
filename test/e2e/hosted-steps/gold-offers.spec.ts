import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type HostedPage, plain } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { journeysToLookAt, type StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const NONE_NEAR = 'Branch None near you';
const IN_BENGALURU = { latitude: 12.93, longitude: 77.58 };
/** Mysuru, some 130 km from Bengaluru. */
const IN_MYSURU = { latitude: 12.3, longitude: 76.65 };
let service: TestService;

const lookAt = journeysToLookAt(() => service);

beforeAll(async () => {
  service = await sharedService();
});

/** A journey with three offers on gold, of an applicant with this PIN code. */
function offersAt(pinCode: string, language: 'en' | 'hi' = 'en'): Promise<StepJourney> {
  const options = { productCode: 'ONLINE_GOLD', customer: { pinCode } };
  return lookAt('OFFERS_RECEIVED', options, { language });
}

function cardsOf(page: HostedPage): (lender: string) => string {
  const cards = page.text
    .split('<article')
    .slice(1)
    .map((text) => wordsOf({ ...page, text: `<main><article${text}</main>` }));
  return (lender) => cards.find((card) => card.includes(lender))!;
}

/** Where the first branch of a lender is, and that it has no other. */
async function moveBranch(journey: StepJourney, lender: string, place: object): Promise<void> {
  await journey.query(
    `UPDATE journey_offers SET terms = jsonb_set(terms, '{branches}',
       jsonb_build_array(terms->'branches'->0 || $3::jsonb))
     WHERE journey_id = $1 AND lender_code = $2`,
    [journey.start.id, lender, JSON.stringify(place)],
  );
}

describe('the offers of a gold loan', () => {
  it('name the nearest branch by its distance, say so where it is far, and what a no costs after the valuation', async () => {
    const journey = await offersAt('560001');
    const { applicant } = await journey.view();
    expect(applicant!.pinCode).toBe('560001');
    const page = await journey.client.open('/hosted/offers');
    const cardOf = cardsOf(page);
    expect(cardOf('Navdhara')).toContain('Branch Jayanagar');
    expect(cardOf('Navdhara')).toContain('about 5 km away');
    expect(cardOf('Kaverisetu')).toContain(`${NONE_NEAR} the nearest: about 230 km`);
    expect(cardOf('Tarang')).toContain(`${NONE_NEAR} the nearest: about 1,560 km`);
    expect(cardOf('Kaverisetu')).toContain('Saying no after valuation ₹177');
    expect(cardOf('Navdhara')).toContain('Saying no after valuation free');
    expect(cardOf('Tarang')).toContain('Saying no after valuation not stated');
  });

  it('have no distance where the PIN code has no centre', async () => {
    const journey = await offersAt('194101');
    const page = await journey.client.open('/hosted/offers');
    expect(wordsOf(page)).not.toContain(' km');
    expect(wordsOf(page)).not.toContain(NONE_NEAR);
    expect(cardsOf(page)('Tarang')).toMatch(/Branch \S+/);
  });

  it('carry the same tags and the same button, however far the branch is', async () => {
    const { client } = await offersAt('560001');
    const page = await client.open('/hosted/offers');
    const cardOf = cardsOf(page);
    expect(cardOf('Kaverisetu')).toMatch(/APR \S+% lowest/);
    expect(cardOf('Tarang')).toMatch(/You repay \S+ lowest/);
    const card = page.text.split('<article').find((text) => text.includes('Tarang'))!;
    const [, href = ''] = /class="btn" href="([^"]+)"/.exec(card) ?? [];
    expect((await client.get(plain(href))).status).toBe(200);
  });

  it('are near by the distance, wherever their PIN code seems to be', async () => {
    const journey = await offersAt('560001');
    await moveBranch(journey, 'tarangudyam', IN_BENGALURU);
    await moveBranch(journey, 'navdhara', IN_MYSURU);
    const cardOf = cardsOf(await journey.client.open('/hosted/offers'));
    expect(cardOf('Tarang')).not.toContain(NONE_NEAR);
    expect(cardOf('Navdhara')).toMatch(/the nearest: about 1\d[05] km/);
  });
});
