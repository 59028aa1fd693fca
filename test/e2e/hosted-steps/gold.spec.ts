import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { openConfirmation } from './leaving-bench.js';
import { journeysToLookAt, StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const GOLD = { productCode: 'ONLINE_GOLD' };
const SLOW_PAYOUT = { ...GOLD, pan: 'SANDX0008A' };
const HELD =
  'Once you have signed and the lender holds your gold, you can only ask it to stop the payment';
const EXIT = 'or leave in the cooling-off period.';
const OPEN = 'Mon–Sat, 9:30 am–5:30 pm';

let service: TestService;

const lookAt = journeysToLookAt(() => service);

beforeAll(async () => {
  service = await sharedService();
});

/** As an offer is kept whose lender's configuration says nothing of gold that it holds. */
async function withoutPledge(journey: StepJourney): Promise<void> {
  await service
    .get<Database>(Database)
    .query(`UPDATE journey_offers SET terms = terms - 'pledge' WHERE journey_id = $1`, [
      journey.start.id,
    ]);
}

describe('the page of the branches', () => {
  it('says when each is open, what to bring, how the gold comes back, and until when a no is heard', async () => {
    const { client } = await lookAt('OFFER_SELECTED', GOLD);
    const words = wordsOf(await client.open('/hosted'));
    expect(words).toContain(`Chennai 600017 ${OPEN}`);
    expect(words).toContain('Kochi 682016 Ask the lender for its hours');
    expect(words).toContain('necklace, two bangles (42.5 g)');
    for (const document of ['Aadhaar, passport or voter card', 'PAN card', 'photo', 'bill, if']) {
      expect(words).toContain(document);
    }
    expect(words).not.toContain('proof of address');
    expect(words).toContain('Questions: 1800 000 2270.');
    expect(words).toContain(
      'Within 2 working days of repaying If the lender is late by its own fault',
    );
    expect(words).toContain('it pays you ₹5,000 a day');
    expect(words).toContain('Gold may be auctioned after 21 days’ notice');
    expect(words).toContain('what is left after your debt is yours');
    expect(words).toContain(HELD);
    expect(words).toContain(EXIT);
  });

  it('says what the RBI asks where the lender’s terms say nothing', async () => {
    const journey = await StepJourney.at('OFFER_SELECTED', service, GOLD);
    await withoutPledge(journey);
    const words = wordsOf(await journey.client.open('/hosted'));
    expect(words).toContain('Ask the lender which papers to bring.');
    expect(words).toContain('Within 7 working days of repaying');
    expect(words).toContain('it must pay you for the delay');
    expect(words).toContain('Gold may be auctioned after a notice');
    expect(words).not.toContain('PAN card');
    expect(words).not.toContain('₹');
  });

  it('says the same in Hindi', async () => {
    const { client } = await lookAt('OFFER_SELECTED', GOLD, { language: 'hi' });
    const words = wordsOf(await client.open('/hosted'));
    expect(words).toContain('सोम–शनि, सुबह 9:30–शाम 5:30');
    expect(words).toContain('21 दिन की सूचना के बाद सोना नीलाम हो सकता है');
  });
});

describe('before the choice', () => {
  it('the confirmation says which gold is pledged, and what happens to it if nothing is paid', async () => {
    const journey = await lookAt('OFFERS_RECEIVED', GOLD);
    const [offer] = (await journey.view()).offers;
    const page = await openConfirmation(journey.client, offer);
    const words = wordsOf(page);
    const tick = words.indexOf('I have read');
    expect(words.slice(0, tick)).toContain('necklace, two bangles (42.5 g)');
    expect(words.slice(0, tick)).toContain('Gold may be auctioned after 21 days’ notice');
    expect(words.slice(0, tick)).toContain(HELD);
    expect(words.slice(0, tick)).toContain(EXIT);
  });
});

describe('what the gold is good for', () => {
  const WORDS = { en: 'at ₹9,000 a gram', hi: '₹9,000 प्रति ग्राम' } as const;

  it.each([
    ['en', 'hi'],
    ['hi', 'en'],
  ] as const)(
    'is explained in %s alone: beside the offers, where the offer is confirmed, and in the statement',
    async (language, other) => {
      const options = { language };
      const journey = await lookAt('OFFERS_RECEIVED', GOLD, options);
      const { offerId, kfsUrl } = (await journey.view()).offers.find(({ lenderName }) =>
        lenderName.startsWith('Navdhara'),
      )!;
      const confirm = `/hosted/offers/${offerId}/confirm?amount=200000`;
      const paths = ['/hosted/offers', confirm, new URL(kfsUrl).pathname];
      for (const path of paths) {
        const words = wordsOf(await journey.client.open(path));
        expect([path, words.includes(WORDS[language])]).toEqual([path, true]);
        expect([path, words.includes(WORDS[other])]).toEqual([path, false]);
      }
    },
  );
});

describe('after the choice', () => {
  it('the page that waits for the payout says where to bring the gold, when, and what with it', async () => {
    const journey = await lookAt('DISBURSEMENT_PENDING', SLOW_PAYOUT);
    const { branch } = (await journey.view()).selected!;
    const page = await journey.client.open('/hosted');
    const words = wordsOf(page);
    expect(page.heading).toBe(`Take your gold to ${branch!.name}`);
    expect(page.text).toContain(`<title>Take your gold to ${branch!.name}`);
    expect(words).toContain('you can say no at the branch. Tell it at once: 1800 000 2270');
    expect(words.indexOf('checks and keeps it')).toBeGreaterThan(0);
    expect(words.indexOf('checks and keeps it')).toBeLessThan(words.indexOf('sends ₹'));
    expect(words).not.toContain('on its way');
    expect(words.indexOf('What to bring')).toBeLessThan(words.indexOf('Don’t want the loan'));
    expect(words).toContain(`${branch!.name} ${branch!.address} ${OPEN}`);
    expect(words).toContain('necklace, two bangles (42.5 g)');
    expect(words.split('you can only ask it to stop the payment')).toHaveLength(2);
    expect(words).toContain('Changing your mind 5 days after payout, no penalty');
  });

  it('the last page says how the gold comes back, and what happens if nothing is paid', async () => {
    const { client } = await lookAt('SANCTIONED', GOLD);
    const words = wordsOf(await client.open('/hosted'));
    expect(words).toContain('Getting your gold back Within 2 working days of repaying');
    expect(words).toContain('If the loan is not repaid');
    expect(words).not.toContain('What to bring');
    const cannotPay = wordsOf(await client.get('/hosted/done/cannot-pay'));
    expect(cannotPay).toContain('Gold may be auctioned after 21 days’ notice');
  });

  it('a loan without gold says nothing of it', async () => {
    const { client } = await lookAt('SANCTIONED');
    expect(wordsOf(await client.open('/hosted'))).not.toContain('your gold');
  });
});
