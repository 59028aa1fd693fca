import { beforeAll, describe, expect, it, vi } from 'vitest';
import { translate } from '../../../src/platform/index.js';
import { formOf, plain } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { chooseAnother, openConfirmation, othersOf } from './leaving-bench.js';
import { journeysToLookAt, StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const STOP = 'href="/hosted/stop"';
const MANDATE_STAYS =
  'If no loan is paid out, Navdhara Capital Limited may collect nothing, but Autopay stays until';
const GOLD = { productCode: 'ONLINE_GOLD' };

let service: TestService;

const lookAt = journeysToLookAt(() => service);

beforeAll(async () => {
  service = await sharedService();
});

describe('where the applicant commits themselves, the page says what a no costs', () => {
  it('on the page of confirmation, with the ways back and out', async () => {
    const journey = await lookAt('OFFERS_RECEIVED');
    const [offer] = (await journey.view()).offers;
    const page = await openConfirmation(journey.client, offer);
    expect(wordsOf(page)).toContain('You’re not committed until you sign.');
    expect(page.text).toContain('href="/hosted/offers">Back to the offers');
    expect(page.text).toContain(STOP);
  });

  it('on that of another offer, too', async () => {
    const journey = await lookAt('KYC_PENDING');
    const [other] = othersOf(await journey.view());
    const page = await openConfirmation(journey.client, other);
    expect(wordsOf(page)).toContain('You’re not committed until you sign.');
    expect(page.text).toContain(STOP);
  });

  it('before the mandate', async () => {
    const journey = await lookAt('MANDATE_PENDING');
    const page = await journey.client.open('/hosted');
    const words = wordsOf(page);
    expect(words).toContain(
      'Rinpath gets none of it; if you pay late, it may contact you for Navdhara.',
    );
    expect(page.text).toContain(STOP);
  });

  it('before the mandate says of an agent only where the operator is it', async () => {
    const journey = await StepJourney.at('MANDATE_PENDING', service);
    await journey.query(
      `UPDATE journey_offers SET terms = jsonb_set(terms, '{recoveryAgentLsp}', 'null')
       WHERE journey_id = $1`,
    );
    const words = wordsOf(await journey.client.open('/hosted'));
    expect(words).toContain('Rinpath gets none of it.');
    expect(words).not.toContain('may contact you');
  });

  it('before the signature, with what is the case after it', async () => {
    const journey = await lookAt('ESIGN_PENDING');
    const page = await journey.client.open('/hosted');
    expect(wordsOf(page)).toContain('Your signature binds you.');
    expect(wordsOf(page)).toContain('Changing your mind 3 days after payout, no penalty');
    expect(wordsOf(page)).toContain('plus about ₹71 for each day');
    expect(wordsOf(page)).toContain(MANDATE_STAYS);
    expect(page.text).toContain(STOP);
  });

  it('before the signature of a loan without a mandate, and says nothing of one', async () => {
    const journey = await lookAt('ESIGN_PENDING', GOLD);
    const words = wordsOf(await journey.client.open('/hosted'));
    expect(words).toContain('If you stop now ₹177 after valuation; you keep your gold');
    expect(words).not.toContain('Autopay');
  });

  it('after the signature, before the money: whom to tell, and what it costs', async () => {
    // The payout takes half a minute.
    const journey = await lookAt('DISBURSEMENT_PENDING', { pan: 'SANDX0008A' });
    const page = await journey.client.open('/hosted');
    const words = wordsOf(page);
    expect(words).toContain('only Navdhara can stop it. Call: 1800 000 1400');
    expect(words).toContain('Until money has reached you there is nothing to repay');
    expect(words).toContain('Changing your mind 3 days after payout, no penalty');
    expect(page.text).not.toContain(STOP);
  });
});

describe('the confirmation says above its box what the choice means for the credit report', () => {
  it.each([
    ['navdhara', 'Choosing triggers a hard enquiry. It stays on your credit report'],
    ['kaverisetu', 'Kaverisetu makes a soft enquiry. It does not lower your score.'],
    ['tarangudyam', 'We don’t know how this lender asks. It may lower your score.'],
  ])('as the configuration has it of %s', async (code, enquiry) => {
    const journey = await lookAt('OFFERS_RECEIVED', GOLD);
    const { offers } = await journey.view();
    const offer = offers.find(({ lenderCode }) => lenderCode === code)!;
    const words = wordsOf(await openConfirmation(journey.client, offer));
    expect(words.indexOf(enquiry)).toBeGreaterThan(0);
    expect(words.indexOf(enquiry)).toBeLessThan(words.indexOf('want this loan from'));
  });
});

describe('the link of a hosted journey’s step', () => {
  it('takes no refusal: its applicant says no where they are signed in', async () => {
    const journey = await lookAt('KYC_PENDING');
    const { redirect } = await journey.view();
    const link = new URL(redirect!.url).pathname;
    const page = await journey.client.get(`${link}/stop`);
    expect([page.status, page.location]).toEqual([303, link]);
    const { hidden } = formOf(await journey.client.open('/hosted/stop'));
    expect((await journey.client.post(`${link}/stop`, hidden)).status).toBe(303);
    expect((await journey.view()).state).toBe('KYC_PENDING');
  });
});

describe('a no at the branch', () => {
  it.each([
    [0, 'Free; you keep your gold'],
    [1, '₹177 after valuation; you keep your gold'],
    [2, 'Ask first what the valuation costs; you keep your gold'],
  ])('costs what the terms of lender %i say, and the gold goes home', async (place, cost) => {
    const codes = ['navdhara', 'kaverisetu', 'tarangudyam'];
    const journey = await lookAt('OFFERS_RECEIVED', GOLD);
    const { offers } = await journey.view();
    const offer = offers.find(({ lenderCode }) => lenderCode === codes[place])!;
    const words = wordsOf(await openConfirmation(journey.client, offer));
    expect(words).toContain(`Saying no at the branch ${cost}`);
  });

  it.each(['en', 'hi'] as const)(
    'is told of in %s after the choice with the sum of the chosen lender',
    async (language) => {
      const journey = await lookAt('OFFER_SELECTED', GOLD, { language });
      const { selected } = await journey.view();
      const words = wordsOf(await journey.client.open('/hosted'));
      expect(words).toContain(translate(language, 'offers.gold.refuse.cost', { amount: '₹177' }));
      expect(words).toContain(selected!.offer.lenderName);
      expect(words).not.toContain('Tarang Udyam Finance Limited');
    },
  );
});

describe('a gold loan that was stopped once a branch was chosen', () => {
  it('says before and after what a valuation costs, and not that nothing is to be paid', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service, GOLD);
    const question = wordsOf(await journey.client.open('/hosted/stop'));
    expect(question).toContain('Gold at a branch? Take it home');
    const stopped = wordsOf(await journey.client.send303());
    for (const words of [question, stopped]) {
      expect(words).toContain('₹177 for the valuation');
      expect(words).toContain('Gold not valued? It’s free');
    }
    expect(stopped).toContain('There is no loan to pay back.');
    expect(stopped).not.toContain('You owe nothing.');
  });

  it.each([
    ['that costs nothing', 0, 'The valuation is free.', false],
    [
      'whose terms are silent',
      null,
      'Already valued? Ask Kaverisetu Finserv Private Limited what you pay for the valuation.',
      true,
    ],
  ] as const)(
    'speaks of a valuation %s by the terms, before and after it was stopped',
    async (_terms, price, cost, mayBeCharged) => {
      const journey = await StepJourney.at('KYC_PENDING', service, GOLD);
      await journey.query(
        `UPDATE journey_offers SET terms = CASE WHEN ${price}::integer IS NULL THEN terms #- '{pledge,valuationWithoutLoan}'
           ELSE jsonb_set(terms, '{pledge,valuationWithoutLoan}', to_jsonb(${price}::integer)) END
         WHERE journey_id = $1`,
      );
      const question = wordsOf(await journey.client.open('/hosted/stop'));
      const stopped = wordsOf(await journey.client.send303());
      for (const words of [question, stopped]) {
        expect(words).toContain(cost);
        expect(words).toContain('Gold at a branch? Take it home');
        expect(words).not.toContain('Before the gold is valued');
      }
      expect(question.includes('Gold not valued? It’s free')).toBe(mayBeCharged);
      expect(stopped.includes('Gold not valued?')).toBe(mayBeCharged);
    },
  );

  it('says so before and after, when another offer was chosen since and no branch of its lender', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service, GOLD);
    const other = await chooseAnother(journey);
    const { selected } = await journey.reaches('OFFER_SELECTED');
    expect([selected!.offer.offerId, selected!.branch]).toEqual([other.offerId, null]);
    const question = wordsOf(await journey.client.open('/hosted/stop'));
    expect(question).toContain('Gold not valued? It’s free');
    const stopped = wordsOf(await journey.client.send303());
    for (const words of [question, stopped]) {
      expect(words).toContain('pay Kaverisetu Finserv Private Limited ₹177 for the valuation');
      expect(words).not.toContain(other.lenderName);
    }
    expect(stopped).not.toContain('You owe nothing.');
  });
});

describe('the offers of a gold loan', () => {
  it('say on the confirmation of early closure, also where the lender names no charge for it', async () => {
    const journey = await lookAt('OFFERS_RECEIVED', GOLD);
    const { offers } = await journey.view();
    const offer = offers.find(({ lenderCode }) => lenderCode === 'kaverisetu')!;
    const words = wordsOf(await openConfirmation(journey.client, offer));
    expect(words).toContain('Early closure not stated');
    expect(words).toContain('“Not stated”: the lender names no such charge.');
  });
});

describe('the end pages', () => {
  it.each([
    ['SANCTIONED', {}],
    ['REJECTED', { pan: 'SANDX0005A' }],
  ] as const)('of %s print each grievance officer’s number once', async (state, options) => {
    const journey = await lookAt(state, options);
    const { text } = await journey.client.open('/hosted');
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
    expect(text.match(/Anjali Krishnamurthy/g)).toHaveLength(1);
    expect(main.match(/Sharmila Deshpande/g)).toHaveLength(1);
  });

  it('of a gold loan lead back to the partner by their bar, and tell how to leave the loan', async () => {
    const journey = await lookAt('SANCTIONED', GOLD);
    const { text } = await journey.client.open('/hosted');
    expect(plain(text)).toContain(translate('en', 'steps.gold.back.coolingOff'));
    const [main] = text.split('</main>');
    const [, bar] = main.split('<div class="bar">');
    expect(bar).toContain('<a class="btn" href="');
    expect(main).toContain(`<span class="fold-name">${translate('en', 'steps.exit')}</span>`);
  });
});
