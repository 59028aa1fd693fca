import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { HostedPage } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const NO_BRANCH = 'No branch within 50 km of your district’s centre';
const NEAR = 'Branch near you';
const IN_BENGALURU = { latitude: 12.93, longitude: 77.58 };
/** Mysuru, some 130 km from Bengaluru. */
const IN_MYSURU = { latitude: 12.3, longitude: 76.65 };
const DEARER = 'The lowest yearly cost is not the lowest cost in all';
const LOWEST = 'Lowest yearly cost';
const LEAST = 'Costs you least in all';
const MOST = 'Costs you most in all';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

/** A journey with three offers on gold, of an applicant with this PIN code. */
function offersAt(pinCode: string, language: 'en' | 'hi' = 'en'): Promise<StepJourney> {
  const options = { productCode: 'ONLINE_GOLD', customer: { pinCode } };
  return StepJourney.at('OFFERS_RECEIVED', service, options, { language });
}

function cardsOf(page: HostedPage): (lender: string) => string {
  const cards = page.text
    .split('<article')
    .slice(1)
    .map((text) => wordsOf({ ...page, text: `<main>${text}</main>` }));
  return (lender) => cards.find((card) => card.includes(lender))!;
}

const tagsIn = (html: string) =>
  [...html.matchAll(/class="offer-tag[^>]*>([^<]+)/g)].map(([, words]) => words);

/** The tags of each lender on its card, in the glance of a phone, and in the table of a wide page. */
function tagsOf({ text }: HostedPage, lender: string): string[][] {
  const parts = [
    text.split('<article').slice(1),
    text
      .split('class="offers-glance"')[1]
      .split('class="offers-table"')[0]
      .split('<tbody')
      .slice(1),
    text.split('class="offers-table"')[1].split('</thead>')[0].split('<th scope="col"').slice(1),
  ];
  return parts.map((shown) => tagsIn(shown.find((part) => part.includes(lender)) ?? ''));
}

const thrice = (...tags: string[]) => [tags, tags, tags];

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
  it('name the nearest branch by its distance, and say so where it is far', async () => {
    const journey = await offersAt('560001');
    const { applicant } = await journey.view();
    expect(applicant!.pinCode).toBe('560001');
    const page = await journey.client.open('/hosted/offers');
    const cardOf = cardsOf(page);
    expect(cardOf('Navdhara')).toContain('Nearest branch Jayanagar 22 11th Main Road');
    expect(cardOf('Navdhara')).toContain('About 5 km from the centre of your district');
    expect(cardOf('Kaverisetu')).toContain('Nearest branch R. S. Puram');
    expect(cardOf('Kaverisetu')).toContain('About 230 km from the centre of your district');
    expect(cardOf('Tarang')).toContain('About 1,560 km from the centre of your district');
    const figures = cardOf('Tarang').indexOf('Yearly cost with all charges');
    const branch = cardOf('Tarang').indexOf('Nearest branch');
    expect(branch).toBeGreaterThan(figures);
    expect(branch).toBeLessThan(cardOf('Tarang').indexOf('You receive'));
    expect(tagsOf(page, 'Navdhara')).toEqual(thrice(NEAR));
    for (const lender of ['Kaverisetu', 'Tarang']) {
      expect(tagsOf(page, lender)).toEqual(thrice(NO_BRANCH));
    }
  });

  it('have no distance and no tag of a branch where the PIN code has no centre', async () => {
    const journey = await offersAt('194101');
    const page = await journey.client.open('/hosted/offers');
    expect(cardsOf(page)('Tarang')).toContain(
      'Nearest branch We do not know how far its branches are from you.',
    );
    for (const text of [NO_BRANCH, NEAR, ' km from']) expect(page.text).not.toContain(text);
    expect(tagsOf(page, 'Tarang')).toEqual(thrice(LEAST));
  });
});

describe('an offer on gold whose lender has no branch near the applicant', () => {
  it.each([
    ['en', NO_BRANCH, NEAR, LOWEST, 'Costs you least of those with a branch near you', MOST],
    [
      'hi',
      'आपके ज़िले के बीच से 50 किमी के अंदर कोई शाखा नहीं',
      'शाखा आपके पास',
      'सभी शुल्क मिलाकर सालाना दर सबसे कम',
      'आपके पास जिनकी शाखा है, उनमें कुल ख़र्च सबसे कम',
      'कुल ख़र्च सबसे ज़्यादा',
    ],
  ] as const)(
    'says so wherever it is compared, and the others are marked without it: %s',
    async (language, noBranch, near, lowest, least, most) => {
      const journey = await offersAt('560001', language);
      await moveBranch(journey, 'kaverisetu', IN_BENGALURU);
      const page = await journey.client.open('/hosted/offers');
      // It is the one that costs the fewest rupees.
      const { offers } = await journey.view();
      expect(offers.map(({ lenderCode }) => lenderCode)).toEqual([
        'kaverisetu',
        'navdhara',
        'tarangudyam',
      ]);
      expect(tagsOf(page, 'Tarang')).toEqual(thrice(noBranch));
      expect(tagsOf(page, 'Kaverisetu')).toEqual(thrice(lowest, least, near));
      expect(tagsOf(page, 'Navdhara')).toEqual(thrice(most, near));
      expect(page.text).not.toContain('notice-info');
    },
  );

  it('can be chosen all the same', async () => {
    const { client } = await offersAt('560001');
    const page = await client.open('/hosted/offers');
    const card = page.text.split('<article').find((text) => text.includes('Tarang'))!;
    const [, href = ''] = /class="button button-primary" href="([^"]+)"/.exec(card) ?? [];
    expect((await client.get(href)).status).toBe(200);
  });

  it('is compared like every other where no lender has one, and says how far it is', async () => {
    const { client } = await offersAt('700001');
    const page = await client.open('/hosted/offers');
    expect(tagsOf(page, 'Kaverisetu')).toEqual(thrice(LOWEST, NO_BRANCH));
    expect(tagsOf(page, 'Tarang')).toEqual(thrice(LEAST, NO_BRANCH));
    const [, box = ''] = /class="notice notice-info"([^]+?)<\/ul>/.exec(page.text) ?? [];
    expect(box).toContain(DEARER);
    expect(box).toMatch(
      /Kaverisetu[^]+Its nearest branch is about 1,\d\d[05] km from your district/,
    );
  });

  it('is near by the distance alone, wherever its PIN code seems to be', async () => {
    const journey = await offersAt('560001');
    await moveBranch(journey, 'tarangudyam', IN_BENGALURU);
    await moveBranch(journey, 'navdhara', IN_MYSURU);
    const page = await journey.client.open('/hosted/offers');
    expect(tagsOf(page, 'Tarang')).toEqual(thrice(NEAR));
    expect(tagsOf(page, 'Navdhara')).toEqual(thrice(NO_BRANCH));
    expect(cardsOf(page)('Navdhara')).toMatch(/About 1\d[05] km from/);
  });
});
