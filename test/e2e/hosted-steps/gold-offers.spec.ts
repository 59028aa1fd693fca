import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HostedPage } from '../../support/hosted-client.js';
import { startService, type TestService } from '../../support/service.js';
import { StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const NO_BRANCH = 'No branch in your part of the country';
const DEARER = 'The lowest yearly cost is not the lowest cost in all';
const LOWEST = 'Lowest yearly cost';
const LEAST = 'Costs you least in all';
const MOST = 'Costs you most in all';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

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
async function moveBranch(journey: StepJourney, lender: string, address: string): Promise<void> {
  await journey.query(
    `UPDATE journey_offers SET terms = jsonb_set(terms, '{branches}',
       jsonb_build_array(terms->'branches'->0 || jsonb_build_object('address', $3::text)))
     WHERE journey_id = $1 AND lender_code = $2`,
    [journey.start.id, lender, address],
  );
}

describe('the offers of a gold loan', () => {
  it('name the branch by the applicant’s PIN code, and say so where it is far', async () => {
    const journey = await offersAt('560001');
    const { applicant } = await journey.view();
    expect(applicant!.pinCode).toBe('560001');
    const cardOf = cardsOf(await journey.client.open('/hosted/offers'));
    expect(cardOf('Navdhara')).toContain('Branch by your PIN code Jayanagar 22 11th Main Road');
    expect(cardOf('Navdhara')).not.toContain('It is not in your district');
    expect(cardOf('Kaverisetu')).toContain('It is not in your district');
    expect(cardOf('Tarang')).toContain(`Branch by your PIN code ${NO_BRANCH}`);
    const figures = cardOf('Tarang').indexOf('Yearly cost with all charges');
    const branch = cardOf('Tarang').indexOf('Branch by your PIN code');
    expect(branch).toBeGreaterThan(figures);
    expect(branch).toBeLessThan(cardOf('Tarang').indexOf('You receive'));
  });

  it('say of a lender whose addresses have no PIN codes nothing that is not known', async () => {
    const journey = await offersAt('560001');
    await moveBranch(journey, 'tarangudyam', '31 Mahatma Gandhi Marg, Lucknow');
    const page = await journey.client.open('/hosted/offers');
    expect(cardsOf(page)('Tarang')).toContain('Branch by your PIN code Not stated');
    expect(page.text).not.toContain(NO_BRANCH);
    expect(tagsOf(page, 'Tarang')).toEqual(thrice(LEAST));
  });
});

describe('an offer on gold whose lender has no branch in the applicant’s region', () => {
  it.each([
    ['en', NO_BRANCH, LOWEST, 'Costs you least of those with a branch in your region', MOST],
    [
      'hi',
      'आपके इलाक़े में कोई शाखा नहीं',
      'सभी शुल्क मिलाकर सालाना दर सबसे कम',
      'आपके क्षेत्र में जिनकी शाखा है, उनमें कुल ख़र्च सबसे कम',
      'कुल ख़र्च सबसे ज़्यादा',
    ],
  ] as const)(
    'says so wherever it is compared, and the others are marked without it: %s',
    async (language, noBranch, lowest, least, most) => {
      const journey = await offersAt('560001', language);
      const page = await journey.client.open('/hosted/offers');
      // It is the one that costs the fewest rupees.
      const { offers } = await journey.view();
      expect(offers.map(({ lenderCode }) => lenderCode)).toEqual([
        'kaverisetu',
        'navdhara',
        'tarangudyam',
      ]);
      expect(tagsOf(page, 'Tarang')).toEqual(thrice(noBranch));
      expect(tagsOf(page, 'Kaverisetu')).toEqual(thrice(lowest, least));
      expect(tagsOf(page, 'Navdhara')).toEqual(thrice(most));
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

  it('leaves no comparison where one other alone, or none, can be had', async () => {
    for (const pinCode of ['110001', '700001']) {
      const { client } = await offersAt(pinCode);
      const page = await client.open('/hosted/offers');
      const tagged = ['Kaverisetu', 'Navdhara', 'Tarang'].map((lender) => tagsOf(page, lender)[0]);
      const isNear = pinCode === '110001';
      expect(tagged).toEqual([[NO_BRANCH], [NO_BRANCH], isNear ? [] : [NO_BRANCH]]);
      expect(page.text).not.toContain(DEARER);
    }
  });
});

describe('an offer on gold whose branch is in the region, and not in the district', () => {
  it('is marked, and what is said of it above the cards says that it is far', async () => {
    const journey = await offersAt('560001');
    await moveBranch(journey, 'tarangudyam', '3 Sayyaji Rao Road, Mysuru 570001');
    const page = await journey.client.open('/hosted/offers');
    expect(tagsOf(page, 'Tarang')).toEqual(thrice(LEAST));
    expect(tagsOf(page, 'Kaverisetu')).toEqual(thrice(LOWEST));
    const [, box = ''] = /class="notice notice-info"([^]+?)<\/ul>/.exec(page.text) ?? [];
    expect(box).toContain(DEARER);
    expect(box).toMatch(/Kaverisetu[^]+Its branch is not in your district/);
    expect(box).toMatch(/Tarang[^]+Its branch is not in your district/);
  });
});
