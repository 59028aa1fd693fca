import { describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { quoteLoan } from '../../../src/loans/index.js';
import { formatRupees } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import type { HostedPage } from '../../support/hosted-client.js';
import { atOffers, expectWords, expire, hostedService, wordsOf } from './step-journey.js';

const LENDERS = [
  'Navdhara Capital Limited',
  'Kaverisetu Finserv Private Limited',
  'Tarang Udyam Finance Limited',
];

const service = hostedService();

function lender(): SandboxLender {
  return service.get(SandboxLender);
}

/** The words of every offer. */
function cardsOf(page: HostedPage): string[] {
  const cards = page.text.split('<article').slice(1);
  return cards.map((card) => wordsOf({ ...page, text: `<main><article${card}</main>` }));
}

describe('200: the comparison', () => {
  it('shows every offer with what decides, lowest APR first; tags the lowest, and says who lends; another order by a link', async () => {
    const { client, offers, path } = await atOffers(service);
    const page = await client.open('/hosted');
    expect([page.path, page.heading]).toEqual(['/hosted/offers', '3 offers for ₹2,00,000']);
    expectWords(page, 'Step 3 of 8');
    expect(offers.map(({ lenderName }) => lenderName)).toEqual(LENDERS);
    const aprs = offers.map(({ figures }) => figures.apr);
    expect(aprs).toEqual(aprs.toSorted((one, other) => one - other));
    const late = ['2% a month + GST', '1.5% a month + GST', '₹500 + GST'];
    const lowest = ['13.23% lowest', '₹5,341 lowest', '₹2,31,029 lowest'];
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
        `If an EMI is late ${late[place]}`,
        lowest[place],
      ])
        expect(cards[place]).toContain(words);
      expect(cards[place].split(' lowest')).toHaveLength(2);
      expect(page.text).toContain(`href="${kfsUrl}"`);
    }
    expect(page.text.replaceAll('&#x3D;', '=')).toContain(`href="${path}/confirm?amount=200000"`);
    expect(page.text).toContain('Rinpath compares; the lender lends.');
    expect(cards[0]).toContain('Navdhara Capital Limited NBFC, RBI no. N-00.00001');
    const byInstalment = await client.get('/hosted/offers?by=instalment');
    expect(cardsOf(byInstalment)[0]).toContain(LENDERS[1]);
    expect(byInstalment.text).toContain(' aria-current="true">Lowest EMI</a>');
  });

  it('names the lenders that made no offer, and does not praise the only one', async () => {
    const { client } = await atOffers(service, { pan: 'SANDX0003A' });
    const page = await client.get('/hosted/offers');
    expectWords(
      page,
      'One offer for ₹2,00,000',
      ...LENDERS.slice(1).map((name) => `${name} Asked; made no offer`),
    );
    expect(wordsOf(page)).not.toMatch(/ lowest|Show first|A longer loan/);
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
    const { client, offers } = await atOffers(service);
    expect(offers.map(({ lenderCode }) => lenderCode)).toEqual(['navdhara']);
    const page = await client.get('/hosted/offers');
    expectWords(
      page,
      'Kaverisetu Finserv Private Limited Could not be reached',
      'Tarang Udyam Finance Limited Its offer did not pass our checks',
    );
    expect(wordsOf(page)).not.toContain('made no offer');
  });
});

describe('an offer that is no longer valid', () => {
  it('stays on the page without its button, and is reported when it expires between page and button', async () => {
    const { journey, client, offer, path } = await atOffers(service);
    await client.get(`${path}/confirm?amount=100000`);
    await expire(journey, offer);
    const expired = '/hosted/offers?notice=expired';
    expect(await client.submit({ hasRead: '1' })).toMatchObject({ status: 303, location: expired });
    expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
    const page = await client.get(expired);
    expectWords(page, 'That offer has expired or was withdrawn.');
    const cards = cardsOf(page);
    expect(cards[0]).toContain('No longer valid');
    expect(cards[0]).not.toContain('Choose');
    expect(cards[1]).toContain('13.39% lowest');
    for (const address of ['', '/confirm?amount=100000', '/key-facts/100000/1795257600000'])
      expect((await client.get(path + address)).location).toBe(expired);
  });

  it('is said when its lender stands by it no longer, or does not take the choice', async () => {
    const { journey, client, offers, path } = await atOffers(service);
    vi.spyOn(lender(), 'quote').mockResolvedValueOnce(null);
    expect((await client.get(path)).location).toBe('/hosted/offers?notice=expired');
    const left = (await journey.view()).offers.filter(({ isValid }) => isValid);
    expect(left.map(({ offerId }) => offerId)).not.toContain(offers[0].offerId);
    const [, ...others] = offers;
    for (const [place, [reason, words]] of (
      [
        ['AMOUNT_OUT_OF_RANGE', 'The lender no longer offers that amount.'],
        ['OTHER', 'The lender did not accept your choice.'],
      ] as const
    ).entries()) {
      await client.get(`/hosted/offers/${others[place].offerId}/confirm?amount=100000`);
      vi.spyOn(lender(), 'select').mockResolvedValueOnce({ kind: 'GONE', reason });
      expectWords(await client.send303({ hasRead: '1' }), words);
      expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
    }
  });
});
