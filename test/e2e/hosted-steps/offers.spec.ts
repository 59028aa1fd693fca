import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { quoteLoan } from '../../../src/loans/index.js';
import { formatRupees, translate } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { type HostedPage, plain } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { journeysToLookAt, StepJourney, TEST_MS, WAIT, wordsOf } from './step-journey.js';

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

const lookAt = journeysToLookAt(() => service);

/** @param isOwn for a test that changes the journey */
async function withOffers(options = {}, isOwn = false) {
  const at = isOwn
    ? StepJourney.at('OFFERS_RECEIVED', service, options)
    : lookAt('OFFERS_RECEIVED', options);
  const journey = await at;
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

/** The words of every offer. */
function cardsOf(page: HostedPage): string[] {
  const cards = page.text.split('<article').slice(1);
  return cards.map((card) => wordsOf({ ...page, text: `<main><article${card}</main>` }));
}

describe('200: the comparison', () => {
  it('shows every offer with what decides, lowest APR first, and counts the question', async () => {
    const { client, offers } = await withOffers();
    const page = await client.open('/hosted');
    expect([page.path, page.heading]).toEqual(['/hosted/offers', '3 offers for ₹2,00,000']);
    expect(wordsOf(page)).toContain('Step 3 of 8');
    expect(offers.map(({ lenderName }) => lenderName)).toEqual(LENDERS);
    const aprs = offers.map(({ figures }) => figures.apr);
    expect(aprs).toEqual(aprs.toSorted((one, other) => one - other));
    const cards = cardsOf(page);
    expect(cards).toHaveLength(3);
    for (const [place, { figures, amount: principal, lenderName, kfsUrl }] of offers.entries()) {
      const { instalment, apr, tenureMonths, netDisbursed, processingFees } = figures;
      const { totalPayable } = quoteLoan({ principal, ...figures });
      for (const words of [
        lenderName,
        `EMI × ${tenureMonths} months ${formatRupees(instalment)}`,
        `APR ${apr.toFixed(2)}%`,
        `You get ${formatRupees(netDisbursed)} after ${formatRupees(processingFees)} charges`,
        `You repay ${formatRupees(totalPayable)}`,
        `costs you ${formatRupees(totalPayable - netDisbursed)}`,
      ])
        expect(cards[place]).toContain(words);
      expect(page.text).toContain(`href="${kfsUrl}"`);
    }
  });

  it('tags the lowest EMI, APR and total, says what a late EMI costs, and leads to the confirmation', async () => {
    const { client, path } = await withOffers();
    const page = await client.get('/hosted/offers');
    expect(page.text.replaceAll('&#x3D;', '=')).toContain(`href="${path}/confirm?amount=200000"`);
    const cards = cardsOf(page);
    const late = ['2% a month + GST', '1.5% a month + GST', '₹500 + GST'];
    for (const [place, charge] of late.entries())
      expect(cards[place]).toContain(`If an EMI is late ${charge}`);
    const [navdhara, kaverisetu, tarang] = cards;
    expect(navdhara).toContain('13.23% lowest');
    expect(kaverisetu).toContain('₹5,341 lowest');
    expect(tarang).toContain('₹2,31,029 lowest');
    const tags = cards.map((card) => card.split(' lowest').length - 1);
    expect(tags).toEqual([1, 1, 1]);
  });

  it.each([
    ['', 'Lowest APR', LENDERS],
    ['?by=instalment', 'Lowest EMI', [LENDERS[1], LENDERS[0], LENDERS[2]]],
    ['?by=total', 'Lowest total', [LENDERS[2], LENDERS[0], LENDERS[1]]],
    ['?by=bribe', 'Lowest APR', LENDERS],
  ])(
    'stands in the order that a link asks for, without JavaScript: %s',
    async (query, order, names) => {
      const { client } = await withOffers();
      const page = await client.get(`/hosted/offers${query}`);
      const cards = cardsOf(page);
      expect(cards.map((card) => names.findIndex((name) => card.includes(name)))).toEqual([
        0, 1, 2,
      ]);
      expect(page.text).toContain(` aria-current="true">${order}</a>`);
    },
  );

  it('tells before the choice who lends, and under which registration', async () => {
    const { client, path } = await withOffers();
    const page = await client.get('/hosted/offers');
    expect(plain(page.text)).toContain('with Demonstration Partner');
    expect(plain(page.text)).toContain('Rinpath compares; the lender lends.');
    const [navdhara] = cardsOf(page);
    expect(navdhara).toContain('Navdhara Capital Limited NBFC, RBI no. N-00.00001');
    const confirmation = wordsOf(await client.get(`${path}/confirm?amount=100000`));
    expect(confirmation).toContain('Rinpath contacts you for the lender');
    expect(confirmation).toContain('the lender names no such charge');
  });

  it('compares no rupees of loans of different amounts', async () => {
    const { client } = await withOffers({ productCode: 'ONLINE_GOLD', loanAmount: 400_000 });
    const cards = cardsOf(await client.get('/hosted/offers'));
    for (const card of cards) expect(card).toContain('Loan amount ₹');
    const tags = cards.flatMap((card) => [...card.matchAll(/(\S+) lowest/g)].map(([, of]) => of));
    expect(tags).toEqual([expect.stringMatching(/%$/)]);
  });

  it('names the lenders that made no offer, and does not praise the only one', async () => {
    const { client } = await withOffers({ pan: 'SANDX0003A' });
    const words = wordsOf(await client.get('/hosted/offers'));
    expect(words).toContain('One offer for ₹2,00,000');
    for (const name of LENDERS.slice(1)) expect(words).toContain(`${name} Asked; made no offer`);
    for (const of of [' lowest', 'Show first', 'A longer loan']) expect(words).not.toContain(of);
  });

  it('names the lenders that could not be reached, and does not wait for them', async () => {
    const ask = lender().ask.bind(lender());
    const away = Object.assign(new LenderUnavailable('down'), { isSuspended: true });
    vi.spyOn(lender(), 'ask').mockImplementation((question) =>
      question.lender.code === 'kaverisetu' ? Promise.reject(away) : ask(question),
    );
    const { client, offers, journey } = await withOffers({}, true);
    expect(offers).toHaveLength(2);
    const words = wordsOf(await client.get('/hosted/offers'));
    expect(words).toContain('Kaverisetu Finserv Private Limited Could not be reached');
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
    const { client, offers } = await withOffers({}, true);
    expect(offers).toHaveLength(2);
    const words = wordsOf(await client.get('/hosted/offers'));
    expect(words).toContain('Tarang Udyam Finance Limited Its offer did not pass our checks');
    expect(words).not.toContain('made no offer');
  });

  it('explains with a gold loan how the amount came about', async () => {
    const { client } = await withOffers({ productCode: 'ONLINE_GOLD' });
    const words = wordsOf(await client.get('/hosted/offers'));
    expect(words).toContain('42.5 g of gold');
  });
});

describe('an offer that is no longer valid', () => {
  it('stays on the page without its button, and leads back with a word of explanation', async () => {
    const { journey, client, offers } = await withOffers({}, true);
    await journey.query(
      `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE id = $1`,
      [offers[0].offerId],
    );
    const page = await client.get('/hosted/offers');
    const cards = cardsOf(page);
    expect(cards[0]).toContain('No longer valid');
    expect(cards[0]).not.toContain('Choose');
    expect(cards[1]).toContain('13.39% lowest');

    for (const address of ['', '/confirm?amount=100000', '/key-facts/100000/1795257600000']) {
      const answer = await client.get(`/hosted/offers/${offers[0].offerId}${address}`);
      expect([answer.status, answer.location]).toEqual([303, '/hosted/offers?notice=expired']);
    }
    const explained = await client.get('/hosted/offers?notice=expired');
    expect(wordsOf(explained)).toContain('That offer has expired or was withdrawn.');
  });

  it('is said when it runs out between the page and the button', async () => {
    const { journey, client, offer, path } = await withOffers({}, true);
    await client.get(`${path}/confirm?amount=100000`);
    await journey.query(
      `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE id = $1`,
      [offer.offerId],
    );
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
    ['EXPIRED', 'That offer has expired or was withdrawn.'],
    ['WITHDRAWN', 'The lender withdrew that offer.'],
    ['AMOUNT_OUT_OF_RANGE', 'The lender no longer offers that amount.'],
    ['OTHER', 'The lender did not accept your choice.'],
  ] as const)('is said when its lender does not take the choice: %s', async (reason, words) => {
    const { journey, client, path } = await withOffers({}, true);
    await client.get(`${path}/confirm?amount=100000`);
    vi.spyOn(lender(), 'select').mockResolvedValue({ kind: 'GONE', reason });
    const answer = await client.submit({ hasRead: '1' });
    expect(answer.status).toBe(303);
    const page = await client.get(answer.location);
    expect(wordsOf(page)).toContain(words);
    expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
  });

  it('when all have run out, leads back to the lenders, and an earlier form to the new round', async () => {
    const { journey, client, offer, path } = await withOffers({}, true);
    await client.get(`${path}/confirm?amount=100000`);
    await journey.query(
      `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE journey_id = $1`,
    );
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
    expect((await client.open('/hosted')).heading).toBe('3 offers for ₹2,00,000');
  });
});

describe('200: the amount', () => {
  it('is suggested as it was asked for, with the lender’s figures for it', async () => {
    const { client, path } = await withOffers();
    const page = await client.get(path);
    const words = wordsOf(page);
    expect(page.heading).toBe(translate('en', 'offers.less'));
    expect(page.text).toContain('value="2,00,000"');
    expect(words).toContain('Step 4 of 8');
    expect(words).toContain('Loan amount ₹1,000 to ₹2,00,000');
    expect(words).toContain('₹6,594');
    expect(words).toContain('after ₹4,920 charges');
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
    ['', 'entry.amount.missing'],
    ['a lot', 'entry.amount.wrong'],
    ['-5', 'entry.amount.wrong'],
    ['999', 'entry.amount.range'],
    ['200000.01', 'entry.amount.range'],
    ['<script>', 'entry.amount.wrong'],
  ])('typed as “%s” is shown again with what is wrong', async (loanAmount, messageKey) => {
    const { client, path } = await withOffers();
    await client.get(path);
    const page = await client.submit({ loanAmount });
    const range = { least: '₹1,000', most: '₹2,00,000' };
    expect(wordsOf(page)).toContain(translate('en', messageKey, range));
    expect(page.text).toContain('<a href="#loanAmount">');
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
