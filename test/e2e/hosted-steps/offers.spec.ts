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
  it('shows every offer with what decides, lowest APR first; tags the lowest, and says who lends', async () => {
    const { client, offers, path } = await withOffers();
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
    expect(page.text.replaceAll('&#x3D;', '=')).toContain(`href="${path}/confirm?amount=200000"`);
    const late = ['2% a month + GST', '1.5% a month + GST', '₹500 + GST'];
    const lowest = ['13.23% lowest', '₹5,341 lowest', '₹2,31,029 lowest'];
    for (const [place, card] of cards.entries()) {
      expect(card).toContain(`If an EMI is late ${late[place]}`);
      expect(card).toContain(lowest[place]);
      expect(card.split(' lowest')).toHaveLength(2);
    }
    expect(plain(page.text)).toContain('with Demonstration Partner');
    expect(plain(page.text)).toContain('Rinpath compares; the lender lends.');
    expect(cards[0]).toContain('Navdhara Capital Limited NBFC, RBI no. N-00.00001');
  });

  it.each([
    ['?by=instalment', 'Lowest EMI', [LENDERS[1], LENDERS[0], LENDERS[2]]],
    ['?by=bribe', 'Lowest APR', LENDERS],
  ])(
    'is in the order that a link asks for, without JavaScript: %s',
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

  it('names the lenders that made no offer, and does not praise the only one', async () => {
    const { client } = await withOffers({ pan: 'SANDX0003A' });
    const words = wordsOf(await client.get('/hosted/offers'));
    expect(words).toContain('One offer for ₹2,00,000');
    for (const name of LENDERS.slice(1)) expect(words).toContain(`${name} Asked; made no offer`);
    for (const of of [' lowest', 'Show first', 'A longer loan']) expect(words).not.toContain(of);
  });

  it('names the lenders that could not be reached, or whose offer did not hold, and waits for none', async () => {
    const ask = lender().ask.bind(lender());
    const away = Object.assign(new LenderUnavailable('down'), { isSuspended: true });
    vi.spyOn(lender(), 'ask').mockImplementation(async (question) => {
      if (question.lender.code === 'kaverisetu') throw away;
      const reply = await ask(question);
      if (question.lender.code !== 'tarangudyam') return reply;
      if (reply.status !== 'ANSWERED' || reply.answer.kind !== 'OFFERED') return reply;
      const offers = reply.answer.offers.map((offer) => ({ ...offer, apr: offer.apr - 1 }));
      return { ...reply, answer: { kind: 'OFFERED', offers } };
    });
    const { client, offers, journey } = await withOffers({}, true);
    expect(offers.map(({ lenderCode }) => lenderCode)).toEqual(['navdhara']);
    const words = wordsOf(await client.get('/hosted/offers'));
    expect(words).toContain('Kaverisetu Finserv Private Limited Could not be reached');
    expect(words).toContain('Tarang Udyam Finance Limited Its offer did not pass our checks');
    expect(words).not.toContain('made no offer');
    const [{ status }] = (await journey.view()).lenders;
    expect(status).toBe('UNREACHABLE');
  });
});

describe('an offer that is no longer valid', () => {
  it('stays on the page without its button, and is reported when it expires between page and button', async () => {
    const { journey, client, offers, path } = await withOffers({}, true);
    await client.get(`${path}/confirm?amount=100000`);
    await journey.query(
      `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE id = $1`,
      [offers[0].offerId],
    );
    const late = await client.submit({ hasRead: '1' });
    expect([late.status, late.location]).toEqual([303, '/hosted/offers?notice=expired']);
    expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
    const cards = cardsOf(await client.get('/hosted/offers'));
    expect(cards[0]).toContain('No longer valid');
    expect(cards[0]).not.toContain('Choose');
    expect(cards[1]).toContain('13.39% lowest');
    for (const address of ['', '/confirm?amount=100000', '/key-facts/100000/1795257600000']) {
      const answer = await client.get(`${path}${address}`);
      expect([answer.status, answer.location]).toEqual([303, '/hosted/offers?notice=expired']);
    }
    const explained = await client.get('/hosted/offers?notice=expired');
    expect(wordsOf(explained)).toContain('That offer has expired or was withdrawn.');
  });

  it('is said when its lender stands by it no longer, or does not take the choice', async () => {
    const { journey, client, offers, path } = await withOffers({}, true);
    const quote = vi.spyOn(lender(), 'quote').mockResolvedValue(null);
    expect((await client.get(path)).location).toBe('/hosted/offers?notice=expired');
    quote.mockRestore();
    const [, ...others] = offers;
    for (const [place, [reason, words]] of (
      [
        ['AMOUNT_OUT_OF_RANGE', 'The lender no longer offers that amount.'],
        ['OTHER', 'The lender did not accept your choice.'],
      ] as const
    ).entries()) {
      await client.get(`/hosted/offers/${others[place].offerId}/confirm?amount=100000`);
      vi.spyOn(lender(), 'select').mockResolvedValueOnce({ kind: 'GONE', reason });
      const page = await client.send303({ hasRead: '1' });
      expect(wordsOf(page)).toContain(words);
      expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
    }
  });

  it('when all have expired, leads back to the lenders, and an earlier form to the new round', async () => {
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

it('200: the amount is suggested as it was asked for, and read to the paisa; what is wrong is said', async () => {
  const { client, path } = await withOffers();
  const page = await client.get(path);
  const words = wordsOf(page);
  expect(page.heading).toBe(translate('en', 'offers.less'));
  expect(page.text).toContain('value="2,00,000"');
  for (const said of ['Step 4 of 8', '₹1,000 to ₹2,00,000', '₹6,594', 'after ₹4,920 charges'])
    expect(words).toContain(said);
  for (const [loanAmount, decision, leadsTo, emi] of [
    ['₹ 1,50,000', 'update', '?amount=150000', '₹4,946'],
    ['₹ 1,50,000', '', '/confirm?amount=150000', '₹4,946'],
    ['1,23,456.5', '', '/confirm?amount=123456.50', '₹1,23,456.50'],
  ]) {
    await client.get(path);
    const answer = await client.submit({ loanAmount, decision });
    expect([answer.status, answer.location]).toEqual([303, path + leadsTo]);
    expect(wordsOf(await client.get(answer.location))).toContain(emi);
  }
  await client.get(path);
  const wrong = await client.submit({ loanAmount: '<script>' });
  expect(wordsOf(wrong)).toContain(translate('en', 'entry.amount.wrong'));
  expect(wrong.text).toContain('<a href="#loanAmount">');
  expect(wrong.text).not.toContain('<script>');
  const uncovered = await client.submit({ loanAmount: '999' });
  expect(wordsOf(uncovered)).toContain('Enter ₹1,000 to ₹2,00,000');
  for (const query of ['?amount=1e9', '?amount=1&amount=2', '?amount[x]=1'])
    expect((await client.get(path + query)).text).toContain('value="2,00,000"');
});
