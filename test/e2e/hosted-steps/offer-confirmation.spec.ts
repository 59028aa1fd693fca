import { describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { quoteLoan } from '../../../src/loans/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { formOf, type HostedClient, type HostedPage, plain } from '../../support/hosted-client.js';
import { atOffers, expectWords, hostedService, setTaken, wordsOf } from './step-journey.js';

const service = hostedService();

function lender(): SandboxLender {
  return service.get(SandboxLender);
}

/** The confirmation page for ₹1,50,000, with its statement's hash and address. */
async function confirmationOf(client: HostedClient, path: string) {
  const page = await client.get(`${path}/confirm?amount=150000`);
  const [, hash] = /name="keyFactsHash" value="([0-9a-f]{64})"/.exec(page.text)!;
  const [, href] = /href="(\/hosted\/offers\/[^"]+\/key-facts\/150000\/\d+\.[\w-]{32})"/.exec(
    page.text,
  )!;
  return { page, hash, href };
}

describe('200: the confirmation', () => {
  it('shows the statement for the amount, the whole of it under the same hash, and how the last EMI differs', async () => {
    const { client, path } = await atOffers(service);
    const { page, hash, href } = await confirmationOf(client, path);
    expectWords(
      page,
      '₹1,50,000',
      '₹4,946',
      '₹1,46,310',
      '13.23%',
      'Processing fee',
      '₹3,540',
      'Processing fee: to the lender. ₹540 of it is GST.',
      '3 days after payout, no penalty',
      'Sharmila Deshpande',
      'Complain to the RBI Ombudsman at cms.rbi.org.in , or ask on 14448',
    );
    const statement = await client.get(href);
    expect([statement.status, statement.text.includes(hash)]).toEqual([200, true]);
    expectWords(statement, '₹1,50,000');
    const pdf = await client.get(`${href}.pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    // 36 times ₹6,594 is less than ₹2,37,393.
    expectWords(
      await client.get(`${path}/confirm?amount=200000`),
      '₹6,594',
      'EMI × 36 months',
      '₹2,37,393',
      'The last is slightly larger.',
    );
    const forged = href.slice(path.length, -1) + (href.endsWith('A') ? 'B' : 'A');
    for (const address of ['/confirm', '/confirm?amount=5', '/key-facts/1e5/x', forged]) {
      const answer = await client.get(path + address);
      expect([address, answer.status, answer.location]).toEqual([address, 303, path]);
    }
  });

  it('has its PDF drawn so often and no more within an hour, and says until when', async () => {
    const { journey, client, path } = await atOffers(service);
    const { href } = await confirmationOf(client, path);
    expect((await client.get(`${href}.pdf`)).status).toBe(200);
    await setTaken(journey, 'DRAFT_PDFS_OF_JOURNEY', 29);
    expect((await client.get(`${href}.pdf`)).status).toBe(200);
    const paused = await client.get(`${href}.pdf`);
    expect([paused.status, paused.heading]).toEqual([429, 'Too many tries']);
    expect(wordsOf(paused)).toMatch(/You can try again after \d+ \w+ \d{4}, \d+:\d\d [ap]m/);
    // Neither the page nor another journey is limited.
    expect((await client.get(href)).status).toBe(200);
    const another = await atOffers(service);
    const elsewhere = await confirmationOf(another.client, another.path);
    expect((await another.client.get(`${elsewhere.href}.pdf`)).status).toBe(200);
  });

  it('needs the word that the statement was read, and freezes exactly the statement that was shown', async () => {
    const { journey, client, path } = await atOffers(service);
    await client.get(`${path}/confirm?amount=150000`);
    const page = await client.submit();
    expectWords(page, 'Read the Key Facts Statement, then tick the box');
    const { keyFactsHash } = formOf(page).hidden;
    expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
    // The applicant takes time to read.
    await service.travel(90_000);
    expect((await client.submit({ hasRead: '1' })).location).toBe('/hosted');
    expect(await journey.view()).toMatchObject({
      state: 'KYC_PENDING',
      selected: { keyFactsHash, selection: { loanAmount: 15_000_000 } },
    });
    const rows = await journey.query(
      'SELECT content_hash AS "keyFactsHash" FROM key_facts_statements WHERE journey_id = $1',
    );
    expect(rows).toEqual([{ keyFactsHash }]);
  });
});

it('409: another statement than was shown, or other terms meanwhile: nothing is agreed, and the page is shown again', async () => {
  const { journey, client, path } = await atOffers(service);
  await client.get(`${path}/confirm?amount=150000`);
  const soon = new Date(service.now().getTime() + 60_000).toISOString();
  for (const [field, value] of [
    ['keyFactsHash', 'f'.repeat(64)],
    ['keyFactsHash', ''],
    ['keyFactsIssuedAt', '2020-01-01T00:00:00.000Z'],
    ['keyFactsIssuedAt', soon],
    ['keyFactsIssuedAt', 'soon'],
    ['amount', '100000'],
  ]) {
    const page = await client.submit({ hasRead: '1', [field]: value });
    expect([field, page.status]).toEqual([field, 409]);
    expectWords(page, 'The terms have changed.');
    expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
  }
  const real = lender().quote.bind(lender());
  vi.spyOn(lender(), 'quote').mockImplementation(async (request) => {
    const offer = (await real(request))!;
    const fees = offer.fees.map(({ name, payee, amount }) => ({
      name,
      payee,
      amount: Math.min(amount, 10_000),
    }));
    const { instalment, apr, netDisbursed } = quoteLoan({ ...offer, fees });
    return { ...offer, fees, instalment, apr, netDisbursed };
  });
  const page = await client.submit({ hasRead: '1' });
  expect(page.status).toBe(409);
  expectWords(page, 'Charges, taken off ₹200');
  await client.submit({ hasRead: '1' });
  expect((await journey.view()).selected?.selection.processingFees).toBe(20_000);
});

it('503: a lender that cannot be reached changes nothing, and a kind page leads to the same again', async () => {
  const { journey, client, path } = await atOffers(service);
  const confirm = `${path}/confirm?amount=150000`;
  const away = async (send: () => Promise<HostedPage>, retry: string) => {
    vi.spyOn(lender(), 'quote').mockRejectedValueOnce(new LenderUnavailable('down'));
    const page = await send();
    expect([page.status, page.heading]).toEqual([
      503,
      'Navdhara Capital Limited can’t be reached right now',
    ]);
    const href = plain(/class="btn" href="([^"]+)"/.exec(page.text)![1]);
    expect(href).toBe(retry);
    expect((await client.get(href)).status).toBe(200);
  };
  await away(() => client.get(path), `${path}?amount=200000`);
  await away(() => client.get(confirm), confirm);
  await away(() => client.submit({ hasRead: '1' }), confirm);
  expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
  expect((await client.submit({ hasRead: '1' })).location).toBe('/hosted');
});

describe('hostile and hasty posts', () => {
  it('403: a form without its token; another journey’s offer leads back to one’s own; without a session to a new link', async () => {
    const [one, other] = [await atOffers(service), await atOffers(service)];
    const foreign = formOf(await other.client.get(other.path)).hidden.csrf;
    for (const csrf of ['', foreign]) {
      for (const path of [one.path, `${one.path}/confirm`]) {
        const answer = await one.client.post(path, { csrf, loanAmount: '150000', hasRead: '1' });
        expect(answer.status).toBe(403);
      }
    }
    const { csrf } = formOf(await one.client.get(`${one.path}/confirm?amount=150000`)).hidden;
    const post = await one.client.post(`${other.path}/confirm`, { csrf, hasRead: '1' });
    expect(post.location).toBe('/hosted/offers');
    const stranger = one.client.copy();
    stranger.cookies.clear();
    for (const address of ['', '/confirm?amount=150000', '/key-facts/150000/1']) {
      expect((await one.client.get(other.path + address)).location).toBe('/hosted/offers');
      expect((await stranger.get(one.path + address)).location).toBe('/hosted/link');
    }
    for (const { journey } of [one, other])
      expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
  });

  it('a double press chooses once; the second one waits, then goes where the journey is, as does a second tab', async () => {
    const { journey, client, path, offers } = await atOffers(service);
    const real = lender().quote.bind(lender());
    await client.get(`${path}/confirm?amount=150000`);
    const [second, tab] = [client.copy(), client.copy()];
    const other = `/hosted/offers/${offers[1].offerId}/confirm?amount=100000`;
    await tab.get(other);
    const released = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    vi.spyOn(lender(), 'quote').mockImplementation(async (request) => {
      asked.resolve();
      await released.promise;
      return real(request);
    });
    const first = client.submit({ hasRead: '1' });
    await asked.promise;
    expect((await second.submit({ hasRead: '1' })).location).toBe('/hosted/moment');
    const moment = await second.get('/hosted/moment');
    expect([moment.status, moment.heading]).toEqual([200, 'One moment']);
    expect(moment.text).toContain('http-equiv="refresh"');
    released.resolve();
    expect((await first).location).toBe('/hosted');
    expect((await second.open('/hosted/moment')).path).toBe('/hosted/kyc');
    const rows = await journey.query('SELECT 1 FROM journey_intents WHERE journey_id = $1');
    expect(rows).toHaveLength(1);
    expect((await tab.submit({ hasRead: '1' })).location).toBe('/hosted');
    expect((await journey.view()).selected?.offer.offerId).toBe(offers[0].offerId);
    // The page is not cached: Back loads it again, and it names the choice that it would replace.
    expectWords(await tab.get(other), 'stays your choice until you confirm another');
  });
});
