import { describe, expect, it } from 'vitest';
import { translate } from '../../../src/platform/index.js';
import { plain } from '../../support/hosted-client.js';
import { chooseAnother, openConfirmation } from './leaving-bench.js';
import { expectWords, hostedService, StepJourney, wordsOf } from './step-journey.js';

const GOLD = { productCode: 'ONLINE_GOLD' };
const HELD =
  'Once you have signed and the lender holds your gold, you can only ask it to stop the payment';
const OPEN = 'Mon–Sat, 9:30 am–5:30 pm';
const PIECES = 'necklace, two bangles (42.5 g)';
const AUCTION = 'Gold may be auctioned after 21 days’ notice';
const REFUSAL = '₹177 after valuation; you keep your gold';
const NONE_NEAR = 'Branch None near you';

const service = hostedService();

it('each page of a gold loan says what becomes of the gold, and what a no costs', async () => {
  // The payout takes half a minute.
  const journey = await StepJourney.at('OFFERS_RECEIVED', service, { ...GOLD, pan: 'SANDX0008A' });
  const { client } = journey;
  const { offers } = await journey.view();
  const kaverisetu = offers.find(({ lenderCode }) => lenderCode === 'kaverisetu')!;
  expectWords(
    await openConfirmation(client, kaverisetu),
    'Kaverisetu makes a soft enquiry. It does not lower your score.',
    `Declining at the branch ${REFUSAL}`,
    'Early closure not stated',
    '“Not stated”: the lender names no such charge.',
    HELD,
    PIECES,
    AUCTION,
  );
  const hindi = wordsOf(await openConfirmation(client.inLanguage('hi'), kaverisetu));
  expect(hindi).toContain('₹8,975 प्रति ग्राम के भाव से');
  expect(hindi).not.toContain('a gram');

  await journey.driveTo('OFFER_SELECTED');
  expectWords(
    await client.open('/hosted'),
    `Chennai 600017 ${OPEN}`,
    'Kochi 682016 Ask the lender for its hours',
    'Aadhaar, passport or voter card',
    'Questions: 1800 000 2270.',
    'it pays you ₹5,000 a day',
    HELD,
    PIECES,
    AUCTION,
    REFUSAL,
  );

  await journey.driveTo('ESIGN_PENDING');
  const signing = await client.open('/hosted');
  expectWords(signing, `If you stop now ${REFUSAL}`);
  expect(wordsOf(signing)).not.toContain('Autopay');

  await journey.driveTo('DISBURSEMENT_PENDING');
  const { name, address } = (await journey.view()).selected!.branch!;
  const money = await client.open('/hosted');
  expect(money.heading).toBe(`Take your gold to ${name}`);
  expectWords(
    money,
    'you can decline at the branch. Tell it at once: 1800 000 2270',
    `${name} ${address} ${OPEN}`,
    'Changing your mind 5 days after payout, no penalty',
    PIECES,
  );
  const words = wordsOf(money);
  expect(words.indexOf('checks and keeps it')).toBeLessThan(words.indexOf('sends ₹'));
  expect(words).not.toContain('on its way');

  await service.travel(31_000);
  await journey.reaches('SANCTIONED');
  const done = await client.open('/hosted');
  expectWords(
    done,
    'Getting your gold back Within 2 working days of repaying',
    `${name} ${address}`,
    translate('en', 'steps.gold.back.coolingOff'),
  );
  expect(done.text).toContain('google.com/maps/search/');
  expectWords(await client.get('/hosted/done/cannot-pay'), AUCTION);
});

describe('a gold loan that ended once a branch was chosen', () => {
  it('says before and after a stop what a valuation costs, also when another offer was chosen since', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service, GOLD);
    const { client } = journey;
    const other = await chooseAnother(journey);
    const { selected } = await journey.reaches('OFFER_SELECTED');
    expect([selected!.offer.offerId, selected!.branch]).toEqual([other.offerId, null]);
    const question = await client.open('/hosted/stop');
    const end = await client.send303();
    for (const page of [question, end]) {
      expectWords(
        page,
        'pay Kaverisetu Finserv Private Limited ₹177 for the valuation',
        'Gold not valued? It’s free',
      );
      expect(wordsOf(page)).not.toContain(other.lenderName);
    }
    expectWords(question, 'Gold at a branch? Take it home');
    expectWords(end, 'There is no loan to pay back.');
  });

  it('says the same where the lender rejected it', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service, GOLD);
    await journey.query(
      `UPDATE journeys SET state = 'REJECTED', outcome_reason = 'KYC_FAILED', finished_at = app_now()
       WHERE id = $1`,
    );
    expectWords(
      await journey.client.open('/hosted'),
      'There is no loan to pay back.',
      'Gold at a branch? Take it home',
      '₹177 for the valuation',
    );
  });
});

describe('the offers of a gold loan', () => {
  it('explain how the amount came about, name the nearest branch by its distance, and can be chosen however far it is', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service, GOLD);
    const page = await journey.client.open('/hosted/offers');
    expectWords(page, '42.5 g of gold');
    for (const [lender, ...said] of [
      ['Navdhara', 'Branch Jayanagar about 5 km away', 'Declining after valuation free'],
      [
        'Kaverisetu',
        `${NONE_NEAR} the nearest: about 230 km`,
        'Declining after valuation ₹177',
        'APR 10.28% lowest',
      ],
      [
        'Tarang',
        `${NONE_NEAR} the nearest: about 1,560 km`,
        'Declining after valuation not stated',
      ],
    ]) {
      const card = page.text.split('<article').find((text) => text.includes(lender))!;
      expectWords({ ...page, text: `<main><article${card}</main>` }, ...said);
      const [, href] = /class="btn" href="([^"]+)"/.exec(card)!;
      expect((await journey.client.get(plain(href))).status).toBe(200);
    }
  });
});
