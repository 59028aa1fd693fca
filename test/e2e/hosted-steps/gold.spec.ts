import { beforeAll, describe, expect, it, vi } from 'vitest';
import { translate } from '../../../src/platform/index.js';
import { HostedClient, type HostedPage, plain } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { chooseAnother, openConfirmation } from './leaving-bench.js';
import { StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const GOLD = { productCode: 'ONLINE_GOLD' };
const HELD =
  'Once you have signed and the lender holds your gold, you can only ask it to stop the payment';
const EXIT = 'or leave in the cooling-off period.';
const OPEN = 'Mon–Sat, 9:30 am–5:30 pm';
const PIECES = 'necklace, two bangles (42.5 g)';
const AUCTION = 'Gold may be auctioned after 21 days’ notice';
const VALUE = { en: 'at ₹9,000 a gram', hi: '₹9,000 प्रति ग्राम' };
const NONE_NEAR = 'Branch None near you';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

function inHindi({ client }: StepJourney): HostedClient {
  const hindi = new HostedClient(service.baseUrl, { language: 'hi' });
  for (const [name, value] of client.cookies) hindi.cookies.set(name, value);
  return hindi;
}

function setTerms(journey: StepJourney, terms: string, lender = '%') {
  return journey.query(
    `UPDATE journey_offers SET terms = ${terms} WHERE journey_id = $1 AND lender_code LIKE $2`,
    [journey.start.id, lender],
  );
}

function cardsOf(page: HostedPage): (lender: string) => string {
  const cards = page.text
    .split('<article')
    .slice(1)
    .map((text) => wordsOf({ ...page, text: `<main><article${text}</main>` }));
  return (lender) => cards.find((card) => card.includes(lender))!;
}

function expectAll(words: string, facts: readonly string[]): void {
  for (const fact of facts) expect(words).toContain(fact);
}

it('each page of a gold loan says what becomes of the gold, and what a no costs', async () => {
  // The payout takes half a minute.
  const journey = await StepJourney.at('OFFERS_RECEIVED', service, { ...GOLD, pan: 'SANDX0008A' });
  const { client } = journey;
  const hindi = inHindi(journey);
  const { offers } = await journey.view();
  for (const [lender, enquiry, refusal] of [
    [
      'navdhara',
      'Choosing triggers a hard enquiry. It stays on your credit report',
      'Free; you keep your gold',
    ],
    [
      'kaverisetu',
      'Kaverisetu makes a soft enquiry. It does not lower your score.',
      '₹177 after valuation; you keep your gold',
    ],
    [
      'tarangudyam',
      'We don’t know how this lender asks. It may lower your score.',
      'Ask first what the valuation costs; you keep your gold',
    ],
  ]) {
    const offer = offers.find(({ lenderCode }) => lenderCode === lender)!;
    const words = wordsOf(await openConfirmation(client, offer));
    const [aboveTheBox, below] = words.split('I have read');
    expectAll(aboveTheBox, [enquiry, HELD, EXIT, `Declining at the branch ${refusal}`]);
    expect(below).toContain('want this loan from');
    if (lender !== 'kaverisetu') continue;
    expectAll(aboveTheBox, [PIECES, AUCTION]);
    expectAll(words, [
      'Early closure not stated',
      '“Not stated”: the lender names no such charge.',
    ]);
  }
  const { offerId, kfsUrl } = offers.find(({ lenderCode }) => lenderCode === 'navdhara')!;
  for (const path of [
    '/hosted/offers',
    `/hosted/offers/${offerId}/confirm?amount=200000`,
    new URL(kfsUrl).pathname,
  ]) {
    const [english, other] = [wordsOf(await client.open(path)), wordsOf(await hindi.open(path))];
    expect([path, english.includes(VALUE.en), english.includes(VALUE.hi)]).toEqual([
      path,
      true,
      false,
    ]);
    expect([path, other.includes(VALUE.hi), other.includes(VALUE.en)]).toEqual([path, true, false]);
  }

  await journey.driveTo('OFFER_SELECTED');
  const { lenderName } = (await journey.view()).selected!.offer;
  const visit = wordsOf(await client.open('/hosted'));
  expectAll(visit, [
    `Chennai 600017 ${OPEN}`,
    'Kochi 682016 Ask the lender for its hours',
    PIECES,
    'Aadhaar, passport or voter card',
    'Questions: 1800 000 2270.',
    'Within 2 working days of repaying If the lender is late by its own fault',
    'it pays you ₹5,000 a day',
    AUCTION,
    'what is left after your debt is yours',
    HELD,
    EXIT,
    translate('en', 'offers.gold.refuse.cost', { amount: '₹177' }),
    lenderName,
  ]);
  expectAll(wordsOf(await hindi.open('/hosted')), [
    'सोम–शनि, सुबह 9:30–शाम 5:30',
    '21 दिन की सूचना के बाद सोना नीलाम हो सकता है',
    translate('hi', 'offers.gold.refuse.cost', { amount: '₹177' }),
  ]);

  await journey.driveTo('ESIGN_PENDING');
  const signing = wordsOf(await client.open('/hosted'));
  expect(signing).toContain('If you stop now ₹177 after valuation; you keep your gold');
  expect(signing).not.toContain('Autopay');

  await journey.driveTo('DISBURSEMENT_PENDING');
  const { branch } = (await journey.view()).selected!;
  const money = await client.open('/hosted');
  const words = wordsOf(money);
  expect(money.heading).toBe(`Take your gold to ${branch!.name}`);
  expectAll(words, [
    'you can decline at the branch. Tell it at once: 1800 000 2270',
    `${branch!.name} ${branch!.address} ${OPEN}`,
    PIECES,
    'Changing your mind 5 days after payout, no penalty',
  ]);
  expect(words.indexOf('checks and keeps it')).toBeLessThan(words.indexOf('sends ₹'));
  expect(words).not.toContain('on its way');

  await service.travel(31_000);
  await journey.reaches('SANCTIONED');
  const done = await client.open('/hosted');
  expectAll(wordsOf(done), [
    'Getting your gold back Within 2 working days of repaying',
    'If the loan is not repaid',
    `${branch!.name} ${branch!.address}`,
    translate('en', 'steps.gold.back.coolingOff'),
  ]);
  expect(done.text).toContain('google.com/maps/search/');
  expect(done.text.split('<div class="bar">')[1]).toContain('<a class="btn" href="');
  expect(wordsOf(await client.get('/hosted/done/cannot-pay'))).toContain(AUCTION);
  // Without a mandate the applicant pays each instalment.
  const calendar = (await client.get('/hosted/done/instalments.ics')).text.replaceAll('\r\n ', '');
  expect(calendar).toMatch(/DESCRIPTION:.*Pay as Kaverisetu .*instructed you\./);
});

describe('a gold loan that was stopped once a branch was chosen', () => {
  async function stopped({ client }: StepJourney): Promise<[string, string]> {
    const question = wordsOf(await client.open('/hosted/stop'));
    return [question, wordsOf(await client.send303())];
  }

  it('says before and after what a valuation costs, also when another offer was chosen since', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service, GOLD);
    const other = await chooseAnother(journey);
    const { selected } = await journey.reaches('OFFER_SELECTED');
    expect([selected!.offer.offerId, selected!.branch]).toEqual([other.offerId, null]);
    const [question, end] = await stopped(journey);
    for (const words of [question, end]) {
      expect(words).toContain('pay Kaverisetu Finserv Private Limited ₹177 for the valuation');
      expect(words).toContain('Gold not valued? It’s free');
      expect(words).not.toContain(other.lenderName);
    }
    expect(question).toContain('Gold at a branch? Take it home');
    expect(end).toContain('There is no loan to pay back.');
    expect(end).not.toContain('You owe nothing.');
  });

  it('says that it is free, or whom to ask, by the terms; without terms, what the RBI asks', async () => {
    const free = await StepJourney.at('KYC_PENDING', service, GOLD);
    await setTerms(free, `jsonb_set(terms, '{pledge,valuationWithoutLoan}', '0')`);
    for (const words of await stopped(free)) {
      expect(words).toContain('The valuation is free.');
      expect(words).not.toContain('Gold not valued?');
    }
    const silent = await StepJourney.at('OFFER_SELECTED', service, GOLD);
    await setTerms(silent, `terms - 'pledge'`);
    const visit = wordsOf(await silent.client.open('/hosted'));
    expectAll(visit, [
      'Ask the lender which papers to bring.',
      'Within 7 working days of repaying',
      'it must pay you for the delay',
      'Gold may be auctioned after a notice',
    ]);
    expect(visit).not.toMatch(/PAN card|₹/);
    await silent.driveTo('KYC_PENDING');
    for (const words of await stopped(silent)) {
      expect(words).toContain(
        'Already valued? Ask Kaverisetu Finserv Private Limited what you pay for the valuation.',
      );
      expect(words).toContain('Gold not valued?');
    }
  });

  it('says the same where the lender rejected it', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service, GOLD);
    await journey.query(
      `UPDATE journeys SET state = 'REJECTED', outcome_reason = 'KYC_FAILED', finished_at = app_now()
       WHERE id = $1`,
    );
    const words = wordsOf(await journey.client.open('/hosted'));
    expectAll(words, ['There is no loan to pay back.', 'Gold at a branch? Take it home']);
    expectAll(words, ['₹177 for the valuation', 'Gold not valued? It’s free.']);
    expect(words).not.toContain('You owe nothing.');
  });
});

describe('the offers of a gold loan', () => {
  it('explain how the amount came about, name the nearest branch by its distance, and are near by it', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service, GOLD);
    const page = await journey.client.open('/hosted/offers');
    expect(wordsOf(page)).toContain('42.5 g of gold');
    const cardOf = cardsOf(page);
    expectAll(cardOf('Navdhara'), [
      'Branch Jayanagar',
      'about 5 km away',
      'Declining after valuation free',
    ]);
    expectAll(cardOf('Kaverisetu'), [
      `${NONE_NEAR} the nearest: about 230 km`,
      'Declining after valuation ₹177',
    ]);
    expectAll(cardOf('Tarang'), [
      `${NONE_NEAR} the nearest: about 1,560 km`,
      'Declining after valuation not stated',
    ]);
    // The distance to the branch changes neither tags nor button.
    expect(cardOf('Kaverisetu')).toMatch(/APR \S+% lowest/);
    expect(cardOf('Tarang')).toMatch(/You repay \S+ lowest/);
    const card = page.text.split('<article').find((text) => text.includes('Tarang'))!;
    const [, href = ''] = /class="btn" href="([^"]+)"/.exec(card) ?? [];
    expect((await journey.client.get(plain(href))).status).toBe(200);

    // Each has one branch: in Bengaluru, or in Mysuru, 130 km away.
    const moved = (place: object) =>
      `jsonb_set(terms, '{branches}', jsonb_build_array(terms->'branches'->0 || '${JSON.stringify(place)}'))`;
    await setTerms(journey, moved({ latitude: 12.93, longitude: 77.58 }), 'tarangudyam');
    await setTerms(journey, moved({ latitude: 12.3, longitude: 76.65 }), 'navdhara');
    const later = cardsOf(await journey.client.open('/hosted/offers'));
    expect(later('Tarang')).not.toContain(NONE_NEAR);
    expect(later('Navdhara')).toMatch(/the nearest: about 1\d[05] km/);
  });

  it('have no distance where the PIN code has no centre', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service, {
      ...GOLD,
      customer: { pinCode: '194101' },
    });
    const page = await journey.client.open('/hosted/offers');
    expect(wordsOf(page)).not.toContain(' km');
    expect(wordsOf(page)).not.toContain(NONE_NEAR);
    expect(cardsOf(page)('Tarang')).toMatch(/Branch \S+/);
  });
});
