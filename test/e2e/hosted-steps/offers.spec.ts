import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { addMonths, dayInIndia, quoteLoan } from '../../../src/loans/index.js';
import { Clock, formatDate, formatRupees } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { plain } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { StepJourney, TEST_MS, WAIT, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const LENDERS = [
  'Navdhara Capital Limited',
  'Kaverisetu Finserv Private Limited',
  'Tarang Udyam Finance Limited',
];

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

afterEach(() => {
  vi.restoreAllMocks();
});

function lender(): SandboxLender {
  return service.get(SandboxLender);
}

async function withOffers(options = {}) {
  const journey = await StepJourney.at('OFFERS_RECEIVED', service, options);
  const { offers } = await journey.view();
  const [offer] = offers;
  return {
    journey,
    client: journey.client,
    offers,
    offer,
    path: `/hosted/offers/${offer.offerId}`,
  };
}

describe('200: the comparison', () => {
  it('shows every offer with all that it costs, lowest APR first, and counts the question', async () => {
    const { client, offers } = await withOffers();
    const page = await client.open('/hosted');
    const words = wordsOf(page);
    expect([page.path, page.heading]).toEqual(['/hosted/offers', '3 offers for your loan']);
    expect(words).toContain('Step 3 of 9');
    expect(offers.map(({ lenderName }) => lenderName)).toEqual(LENDERS);
    const aprs = offers.map(({ figures }) => figures.apr);
    expect(aprs).toEqual(aprs.toSorted((one, other) => one - other));
    const cards = page.text.split('<article').slice(1).map(plain);
    expect(cards).toHaveLength(3);
    for (const [place, { figures, lenderName, terms }] of offers.entries()) {
      expect(cards[place]).toContain(lenderName);
      expect(cards[place]).toContain(`${figures.apr.toFixed(2)}%`);
      expect(cards[place]).toContain(`${figures.tenureMonths} months`);
      for (const { name, description } of terms.contingentCharges) {
        expect(cards[place]).toContain(name);
        expect(cards[place]).toContain(description);
      }
      expect(page.text).toContain(`href="${offers[place].kfsUrl}"`);
    }
    expect(cards[0]).toContain('₹6,594');
    expect(cards[0]).toContain('You receive');
    expect(cards[0]).toContain('₹1,95,080');
    expect(cards.map((card) => card.includes('Lowest yearly cost'))).toEqual([true, false, false]);
    expect(cards.map((card) => card.includes('Costs you least in all'))).toEqual([
      false,
      false,
      true,
    ]);
    const costs = offers.map(({ figures, amount: principal }) => {
      const { totalPayable } = quoteLoan({ principal, ...figures });
      return totalPayable - figures.netDisbursed;
    });
    const dearest = costs.map((cost) => cost === Math.max(...costs));
    expect(cards.map((card) => card.includes('Costs you most in all'))).toEqual(dearest);
    // The glance of a phone and the table of a wide page mark the same.
    const beside = page.text.split('<ul class="offers')[0];
    for (const tag of ['Lowest yearly cost', 'Costs you least in all', 'Costs you most in all'])
      expect(
        beside.split(`<span class="offer-tag`).filter((part) => part.includes(`>${tag}<`)),
      ).toHaveLength(2);
    expect(words).toContain('So the last one is a little smaller or larger');
  });

  it('begins every card with what is paid a month, what is paid back and costs, and the APR in words', async () => {
    const { client, offers } = await withOffers();
    const page = await client.get('/hosted/offers');
    const main = page.text
      .split('class="offer-main"')
      .slice(1)
      .map((part) => plain(part.split('</dl>')[0]));
    for (const [place, { figures, amount }] of offers.entries()) {
      const { totalPayable } = quoteLoan({ principal: amount, ...figures });
      expect(main[place]).toBe(
        `> You pay each monthfor ${figures.tenureMonths} months${formatRupees(figures.instalment)} ` +
          `You pay back in all${formatRupees(totalPayable - figures.netDisbursed)} more than you receive${formatRupees(totalPayable)} ` +
          `Yearly cost with all chargesAPR${figures.apr.toFixed(2)}%`,
      );
    }
    // The day after which nobody can be paid out and owe an instalment within the month.
    const today = dayInIndia(service.get(Clock).now());
    expect(wordsOf(page)).toContain(`not before ${formatDate('en', addMonths(today, 1))}`);
  });

  it('says so when the lowest APR costs more rupees than another offer', async () => {
    const { client } = await withOffers();
    const words = wordsOf(await client.get('/hosted/offers'));
    expect(words).toContain('A longer loan has smaller instalments');
    expect(words).toContain(
      'Lowest yearly cost: Navdhara Capital Limited . In all you pay ₹42,313 more than you receive (₹6,594 each month for 36 months).',
    );
    expect(words).toContain(
      'Lowest cost in all: Tarang Udyam Finance Limited . In all you pay ₹36,929 more than you receive (₹9,626 each month for 24 months).',
    );
  });

  it.each([
    ['', 'lowest yearly cost (APR)', LENDERS],
    ['?by=instalment', 'smallest instalment', [LENDERS[1], LENDERS[0], LENDERS[2]]],
    ['?by=total', 'least to pay back in all', [LENDERS[2], LENDERS[0], LENDERS[1]]],
    ['?by=bribe', 'lowest yearly cost (APR)', LENDERS],
  ])(
    'stands in the order that a link asks for, without JavaScript: %s',
    async (query, order, names) => {
      const { client } = await withOffers();
      const page = await client.get(`/hosted/offers${query}`);
      const cards = page.text.split('<article').slice(1).map(plain);
      expect(cards.map((card) => names.findIndex((name) => card.includes(name)))).toEqual([
        0, 1, 2,
      ]);
      expect(page.text).toContain(`<strong aria-current="true">${order}</strong>`);
    },
  );

  it('lines the charges up, and tells one that a lender has not stated from none', async () => {
    const { client } = await withOffers();
    const page = await client.get('/hosted/offers');
    const [, navdhara, kaverisetu, tarang] = page.text.split('<article').map(plain);
    const charges = [
      'Late payment',
      'Returned payment',
      'Early closure',
      'Change of the repayment',
    ];
    for (const card of [navdhara, kaverisetu, tarang]) {
      const places = charges.map((charge) => card.indexOf(charge));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
    }
    expect(kaverisetu).toContain('Early closureNot stated');
    expect(tarang).toContain('Returned paymentNot stated');
    expect(wordsOf(page)).toContain('the lender names no such charge');
  });

  it('tells before the choice who lends, under which registration, and who comes when nothing is paid', async () => {
    const { client, path } = await withOffers();
    const page = await client.get('/hosted/offers');
    const [, navdhara, kaverisetu] = page.text.split('<article').map(plain);
    expect(navdhara).toContain('Finance company (NBFC), registered with the RBI: N-00.00001');
    expect(navdhara).toContain('Who contacts you if you do not payRinpath, for the lender');
    expect(kaverisetu).toContain('the lender, or an agent that it names to you first');
    const confirmation = wordsOf(await client.get(`${path}/confirm?amount=100000`));
    expect(confirmation).toContain('Finance company (NBFC), registered with the RBI: N-00.00001');
    expect(confirmation).toContain('Rinpath, for the lender');
  });

  it('names the partner whose customer it is, and says who lends', async () => {
    const { client } = await withOffers();
    const words = plain((await client.get('/hosted/offers')).text);
    expect(words).toContain('with Demonstration Partner');
    expect(words).toContain('Rinpath compares loans for customers of Demonstration Partner.');
    expect(words).toContain('the money comes from the lender that you choose');
  });

  it('compares no rupees of loans of different amounts', async () => {
    const { client } = await withOffers({ productCode: 'ONLINE_GOLD', loanAmount: 400_000 });
    const words = wordsOf(await client.get('/hosted/offers'));
    expect(words).toContain('These offers are for different amounts.');
    expect(words).not.toContain('Costs you least in all');
    expect(words).not.toContain('Costs you most in all');
    expect(words).not.toContain('Lowest cost in all');
  });

  it('names the lenders that made no offer, and does not praise the only one', async () => {
    const { client } = await withOffers({ pan: 'SANDX0003A' });
    const words = wordsOf(await client.get('/hosted/offers'));
    expect(words).toContain('One offer for your loan');
    expect(words).toContain('They did not make an offer: Kaverisetu Finserv Private Limited');
    expect(words).toContain('Tarang Udyam Finance Limited');
    expect(words).not.toContain('Lowest yearly cost');
    expect(words).not.toContain('All offers at a glance');
  });

  it('names the lenders that could not be reached, and does not wait for them', async () => {
    const ask = lender().ask.bind(lender());
    const away = Object.assign(new LenderUnavailable('down'), { isLeftAlone: true });
    vi.spyOn(lender(), 'ask').mockImplementation((question) =>
      question.lender.code === 'kaverisetu' ? Promise.reject(away) : ask(question),
    );
    const { client, offers, journey } = await withOffers();
    expect(offers).toHaveLength(2);
    const words = wordsOf(await client.get('/hosted/offers'));
    expect(words).toContain('They could not be reached: Kaverisetu Finserv Private Limited');
    const { lenders } = await journey.view();
    expect(lenders.map(({ status }) => status)).toEqual(['UNREACHABLE', 'OFFERED', 'OFFERED']);
  });

  it('names a lender whose offer did not hold, and shows nothing of that offer', async () => {
    const ask = lender().ask.bind(lender());
    vi.spyOn(lender(), 'ask').mockImplementation(async (question) => {
      const reply = await ask(question);
      if (question.lender.code !== 'tarangudyam') return reply;
      if (reply.status !== 'ANSWERED' || reply.answer.kind !== 'OFFERED') return reply;
      const offers = reply.answer.offers.map((offer) => ({ ...offer, apr: offer.apr - 1 }));
      return { ...reply, answer: { kind: 'OFFERED', offers } };
    });
    const { client, offers } = await withOffers();
    expect(offers).toHaveLength(2);
    const words = wordsOf(await client.get('/hosted/offers'));
    expect(words).toContain('We do not show it: Tarang Udyam Finance Limited');
    expect(words).not.toContain('They did not make an offer');
  });

  it('explains with a gold loan how the amount came about', async () => {
    const { client } = await withOffers({ productCode: 'ONLINE_GOLD' });
    const words = wordsOf(await client.get('/hosted/offers'));
    expect(words).toContain('42.5 g of gold');
  });

  it('is Hindi for who asks for Hindi, without a hole in it', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service, {}, { language: 'hi' });
    const page = await journey.client.get('/hosted/offers');
    expect(page.heading).toBe('आपके लोन के लिए 3 ऑफ़र');
    expect(page.text).toContain('<html lang="hi">');
  });
});

describe('an offer that is no longer valid', () => {
  it('stays on the page without its button, and leads back with a word of explanation', async () => {
    const { journey, client, offers } = await withOffers();
    await journey.query('UPDATE journey_offers SET valid_until = app_now() WHERE id = $1', [
      offers[0].offerId,
    ]);
    const page = await client.get('/hosted/offers');
    const cards = page.text.split('<article').slice(1).map(plain);
    expect(cards[0]).toContain('No longer valid');
    expect(cards[0]).not.toContain('Choose this offer');
    expect(cards[1]).toContain('Lowest yearly cost');

    for (const address of ['', '/confirm?amount=100000', '/key-facts/100000/1795257600000']) {
      const answer = await client.get(`/hosted/offers/${offers[0].offerId}${address}`);
      expect([answer.status, answer.location]).toEqual([303, '/hosted/offers?notice=expired']);
    }
    const explained = await client.get('/hosted/offers?notice=expired');
    expect(wordsOf(explained)).toContain('That offer can no longer be chosen');
  });

  it('is said when it runs out between the page and the button', async () => {
    const { journey, client, offer, path } = await withOffers();
    await client.get(`${path}/confirm?amount=100000`);
    await journey.query('UPDATE journey_offers SET valid_until = app_now() WHERE id = $1', [
      offer.offerId,
    ]);
    const answer = await client.submit({ hasRead: '1' });
    expect([answer.status, answer.location]).toEqual([303, '/hosted/offers?notice=expired']);
    expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
  });

  it('is said when its lender stands by it no longer', async () => {
    const { client, path } = await withOffers();
    vi.spyOn(lender(), 'quote').mockResolvedValue(null);
    const answer = await client.get(path);
    expect([answer.status, answer.location]).toEqual([303, '/hosted/offers?notice=expired']);
  });

  it.each([
    ['EXPIRED', 'past its last day'],
    ['WITHDRAWN', 'Its lender has withdrawn it.'],
    ['AMOUNT_OUT_OF_RANGE', 'no longer makes it for the amount that you chose'],
    ['OTHER', 'did not accept the choice'],
  ] as const)('is said when its lender does not take the choice: %s', async (reason, words) => {
    const { journey, client, path } = await withOffers();
    await client.get(`${path}/confirm?amount=100000`);
    vi.spyOn(lender(), 'select').mockResolvedValue({ kind: 'GONE', reason });
    const answer = await client.submit({ hasRead: '1' });
    expect(answer.status).toBe(303);
    const page = await client.get(answer.location);
    expect(wordsOf(page)).toContain(words);
    expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
  });

  it('when all have run out, leads back to the lenders, and an earlier form to the new round', async () => {
    const { journey, client, offer, path } = await withOffers();
    await client.get(`${path}/confirm?amount=100000`);
    await journey.query('UPDATE journey_offers SET valid_until = app_now() WHERE journey_id = $1');
    await journey.query('UPDATE journeys SET offers_due_at = app_now() WHERE id = $1');
    const offers = await eventually(async () => {
      const [{ round }] = await journey.query<{ round: number }>(
        'SELECT offer_round AS round FROM journeys WHERE id = $1',
      );
      const { state, offers: fresh } = await journey.view();
      expect([round, state]).toEqual([2, 'OFFERS_RECEIVED']);
      return fresh;
    }, WAIT);
    expect(offers.map(({ offerId }) => offerId)).not.toContain(offer.offerId);
    const late = await client.submit({ hasRead: '1' });
    expect([late.status, late.location]).toEqual([303, '/hosted/offers']);
    expect((await client.open('/hosted')).heading).toBe('3 offers for your loan');
  });
});

describe('200: the amount', () => {
  it('is suggested as it was asked for, with the lender’s figures for it', async () => {
    const { client, path } = await withOffers();
    const page = await client.get(path);
    const words = wordsOf(page);
    expect(page.heading).toBe('How much do you want to borrow?');
    expect(page.text).toContain('value="2,00,000"');
    expect(words).toContain('Step 4 of 9');
    expect(words).toContain('From ₹1,000 to ₹2,00,000');
    expect(words).toContain('₹6,594');
    expect(words).toContain('after charges of ₹4,920');
  });

  it.each([
    ['update', (path: string) => `${path}?amount=150000`],
    ['', (path: string) => `${path}/confirm?amount=150000`],
  ])('goes on with “%s” to figures for what was typed', async (decision, leadsTo) => {
    const { client, path } = await withOffers();
    await client.get(path);
    const answer = await client.submit({ loanAmount: '₹ 1,50,000', decision });
    expect([answer.status, answer.location]).toEqual([303, leadsTo(path)]);
    const words = wordsOf(await client.get(answer.location));
    expect(words).toContain('₹4,946');
  });

  it('takes paise and Devanagari digits', async () => {
    const { client, path } = await withOffers();
    await client.get(path);
    const paise = await client.submit({ loanAmount: '1,23,456.5' });
    expect(paise.location).toBe(`${path}/confirm?amount=123456.50`);
    expect(wordsOf(await client.get(paise.location))).toContain('₹1,23,456.50');
    await client.get(path);
    const hindi = await client.submit({ loanAmount: '१५००००' });
    expect(hindi.location).toBe(`${path}/confirm?amount=150000`);
  });

  it.each([
    ['', 'Enter how much you want to borrow'],
    ['a lot', 'Enter an amount in rupees, such as 150000'],
    ['-5', 'Enter an amount in rupees, such as 150000'],
    ['999', 'Enter an amount from ₹1,000 to ₹2,00,000'],
    ['200000.01', 'Enter an amount from ₹1,000 to ₹2,00,000'],
    ['<script>', 'Enter an amount in rupees, such as 150000'],
  ])('typed as “%s” is shown again with what is wrong', async (loanAmount, message) => {
    const { client, path } = await withOffers();
    await client.get(path);
    const page = await client.submit({ loanAmount });
    expect(wordsOf(page)).toContain(message);
    expect(page.text).toContain('There is a problem');
    expect(page.text).not.toContain('<script>');
  });

  it.each(['?amount=1e9', '?amount=999', '?amount=', '?amount=1&amount=2', '?amount[x]=1'])(
    'in an address as %s counts as none',
    async (query) => {
      const { client, path } = await withOffers();
      const page = await client.get(path + query);
      expect([page.status, page.text.includes('value="2,00,000"')]).toEqual([200, true]);
    },
  );
});
