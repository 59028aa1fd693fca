import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { quoteLoan } from '../../../src/loans/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { type HostedClient, plain } from '../../support/hosted-client.js';
import { loanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { journeysToLookAt, StepJourney, TEST_MS, WAIT, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const DRAFTS_AN_HOUR = 30;

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

/** The address of the statement that the page of confirmation sums up. */
async function draftOf(client: HostedClient, path: string): Promise<string> {
  const { text } = await client.get(`${path}/confirm?amount=150000`);
  return /href="(\/hosted\/offers\/[^"]+\/key-facts\/[^"]+)"/.exec(text)![1];
}

const lookAt = journeysToLookAt(() => service);

/** @param isOwn for a test that changes the journey */
async function withOffers(isOwn = false) {
  const journey = await (isOwn
    ? StepJourney.at('OFFERS_RECEIVED', service)
    : lookAt('OFFERS_RECEIVED'));
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

describe('200: the confirmation', () => {
  it('shows the statement for the amount, and the whole of it under the same hash', async () => {
    const { client, path } = await withOffers();
    const page = await client.get(`${path}/confirm?amount=150000`);
    const words = wordsOf(page);
    for (const fact of ['₹1,50,000', '₹4,946', '₹1,46,310', '13.23%', 'Processing fee', '₹3,540'])
      expect(words).toContain(fact);
    expect(words).toContain('Processing fee: to the lender. ₹540 of it is GST.');
    expect(words).toContain('3 days after payout, no penalty');
    expect(words).toContain('Sharmila Deshpande');

    const hash = /name="keyFactsHash" value="([0-9a-f]{64})"/.exec(page.text)![1];
    const href = /href="(\/hosted\/offers\/[^"]+\/key-facts\/150000\/\d+\.[\w-]{32})"/.exec(
      page.text,
    )![1];
    const statement = await client.get(href);
    expect(statement.status).toBe(200);
    expect(statement.text).toContain(hash);
    expect(wordsOf(statement)).toContain('₹1,50,000');
    const pdf = await client.get(`${href}.pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
  });

  it('says how the last EMI differs: 36 times ₹6,594 is less than ₹2,37,393', async () => {
    const { client, path } = await withOffers();
    const words = wordsOf(await client.get(`${path}/confirm?amount=200000`));
    for (const fact of ['₹6,594', 'EMI × 36 months', '₹2,37,393']) expect(words).toContain(fact);
    expect(words).toContain('The last is slightly larger.');
  });

  it('has no statement as of a moment, or for an amount, that it was not shown for', async () => {
    const { client, path, offers } = await withOffers();
    const href = await draftOf(client, path);
    const [, issued, mac] = /\/150000\/(\d+)\.([\w-]+)$/.exec(href)!;
    const other = `/hosted/offers/${offers[1].offerId}`;
    for (const [from, address] of [
      [path, `/key-facts/150000/${issued}`],
      [path, `/key-facts/150000/${Number(issued) - 1}.${mac}`],
      [path, `/key-facts/150000/${issued}.${'A'.repeat(mac.length)}`],
      [path, `/key-facts/150001/${issued}.${mac}`],
      [other, `/key-facts/150000/${issued}.${mac}`],
    ]) {
      for (const ending of ['', '.pdf']) {
        const answer = await client.get(from + address + ending);
        expect([address + ending, answer.status, answer.location]).toEqual([
          address + ending,
          303,
          from,
        ]);
      }
    }
  });

  it('has its PDF drawn so often and no more within an hour, and says until when', async () => {
    const { client, path } = await withOffers(true);
    const href = await draftOf(client, path);
    for (let times = 0; times < DRAFTS_AN_HOUR; times += 1) {
      expect((await client.get(`${href}.pdf`)).status).toBe(200);
    }
    const paused = await client.get(`${href}.pdf`);
    expect([paused.status, paused.heading]).toEqual([429, 'Too many tries']);
    expect(wordsOf(paused)).toMatch(/You can try again after \d+ \w+ \d{4}, \d+:\d\d [ap]m/);
    // The page is not limited, nor is another journey.
    expect((await client.get(href)).status).toBe(200);
    const another = await withOffers(true);
    const elsewhere = await draftOf(another.client, another.path);
    expect((await another.client.get(`${elsewhere}.pdf`)).status).toBe(200);
  });

  it('freezes exactly the statement that was shown', async () => {
    const { journey, client, path } = await withOffers(true);
    const page = await client.get(`${path}/confirm?amount=150000`);
    const hash = /name="keyFactsHash" value="([0-9a-f]{64})"/.exec(page.text)![1];
    // Time goes by while somebody reads.
    await service.travel(90_000);
    const answer = await client.submit({ hasRead: '1' });
    expect([answer.status, answer.location]).toEqual([303, '/hosted']);
    const { selected, state } = await journey.view();
    expect(state).toBe('KYC_PENDING');
    expect(selected).toMatchObject({ keyFactsHash: hash, selection: { loanAmount: 15_000_000 } });
    const [{ frozen }] = await journey.query<{ frozen: string }>(
      'SELECT content_hash AS frozen FROM key_facts_statements WHERE journey_id = $1',
    );
    expect(frozen).toBe(hash);
  });

  it('needs the word that the statement was read', async () => {
    const { journey, client, path } = await withOffers();
    await client.get(`${path}/confirm?amount=150000`);
    const page = await client.submit();
    expect(wordsOf(page)).toContain('Read the Key Facts Statement, then tick the box');
    expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
  });

  it.each([
    '/confirm',
    '/confirm?amount=5',
    '/confirm?amount=x',
    '/key-facts/5/1',
    '/key-facts/1e5/x',
  ])('%s without an amount that is offered leads to the amount', async (address) => {
    const { client, path } = await withOffers();
    const answer = await client.get(path + address);
    expect([answer.status, answer.location]).toEqual([303, path]);
  });
});

describe('409: another statement than was shown', () => {
  it('nothing is agreed, and the page is shown again, which can be confirmed', async () => {
    const { journey, client, path } = await withOffers(true);
    await client.get(`${path}/confirm?amount=150000`);
    const changes: Record<string, string>[] = [
      { keyFactsHash: 'f'.repeat(64) },
      { keyFactsHash: '' },
      { keyFactsIssuedAt: '2020-01-01T00:00:00.000Z' },
      { keyFactsIssuedAt: '' },
      { keyFactsIssuedAt: 'soon' },
      { amount: '100000' },
    ];
    for (const fields of changes) {
      const page = await client.submit({ hasRead: '1' }, { fields });
      expect([fields, page.status]).toEqual([fields, 409]);
      expect(wordsOf(page)).toContain('The terms have changed.');
      expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
    }
    const chosen = await client.submit({ hasRead: '1' });
    expect([chosen.status, chosen.location]).toEqual([303, '/hosted']);
  });

  it('a fee that the lender has lowered meanwhile: the new terms are shown before they bind', async () => {
    const { journey, client, path } = await withOffers(true);
    await client.get(`${path}/confirm?amount=150000`);
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
    expect(wordsOf(page)).toContain('Charges, taken off ₹200');
    await client.submit({ hasRead: '1' });
    const { selected } = await journey.view();
    expect(selected?.selection.processingFees).toBe(20_000);
  });
});

describe('a lender that cannot be reached', () => {
  it.each(['', '/confirm?amount=150000'])(
    '503 at …%s: a kind page that can be retried',
    async (address) => {
      const { client, path } = await withOffers();
      const spy = vi.spyOn(lender(), 'quote').mockRejectedValue(new LenderUnavailable('down'));
      const page = await client.get(path + address);
      expect(page.status).toBe(503);
      expect(page.heading).toBe('Navdhara Capital Limited can’t be reached right now');
      spy.mockRestore();
      const retry = /class="btn" href="([^"]+)"/.exec(page.text)![1];
      expect((await client.get(plain(retry))).status).toBe(200);
    },
  );

  it('503 at the choice: nothing has changed, and the retry leads to the statement again', async () => {
    const { journey, client, path } = await withOffers(true);
    await client.get(`${path}/confirm?amount=150000`);
    const spy = vi.spyOn(lender(), 'quote').mockRejectedValue(new LenderUnavailable('down'));
    const page = await client.submit({ hasRead: '1' });
    expect(page.status).toBe(503);
    const retry = /class="btn" href="([^"]+)"/.exec(page.text)![1];
    expect(plain(retry)).toBe(`${path}/confirm?amount=150000`);
    expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
    spy.mockRestore();
    await client.get(`${path}/confirm?amount=150000`);
    expect((await client.submit({ hasRead: '1' })).location).toBe('/hosted');
  });
});

describe('hostile and hasty posts', () => {
  it('403: a form without its token, or with another session’s', async () => {
    const one = await withOffers();
    const other = await withOffers(true);
    await other.client.get(other.path);
    const token = /name="csrf" value="([^"]+)"/.exec(other.client.page!.text)![1];
    for (const csrf of ['', 'x', token]) {
      for (const path of [one.path, `${one.path}/confirm`]) {
        const answer = await one.client.post(path, { csrf, loanAmount: '150000', hasRead: '1' });
        expect(answer.status).toBe(403);
      }
    }
    expect((await one.journey.view()).state).toBe('OFFERS_RECEIVED');
  });

  it('another journey’s offer leads back to one’s own', async () => {
    const one = await withOffers();
    const other = await withOffers(true);
    for (const address of ['', '/confirm?amount=150000', '/key-facts/150000/1']) {
      const answer = await one.client.get(other.path + address);
      expect([answer.status, answer.location]).toEqual([303, '/hosted/offers']);
    }
    await one.client.get(`${one.path}/confirm?amount=150000`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(one.client.page!.text)![1];
    const answer = await one.client.post(`${other.path}/confirm`, { csrf, hasRead: '1' });
    expect([answer.status, answer.location]).toEqual([303, '/hosted/offers']);
    expect((await other.journey.view()).state).toBe('OFFERS_RECEIVED');
  });

  it('303 without a session: nobody sees an offer', async () => {
    const { client: signedIn, path } = await withOffers();
    const client = signedIn.copy();
    client.cookies.clear();
    for (const address of ['/hosted/offers', path, `${path}/confirm?amount=150000`]) {
      const answer = await client.get(address);
      expect([answer.status, answer.location]).toEqual([303, '/hosted/link']);
    }
  });

  it('a double press chooses once; the second one waits, then goes where the journey is', async () => {
    const { journey, client, path } = await withOffers(true);
    const real = lender().quote.bind(lender());
    await client.get(`${path}/confirm?amount=150000`);
    const second = client.copy();
    const released = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    vi.spyOn(lender(), 'quote').mockImplementation(async (request) => {
      asked.resolve();
      await released.promise;
      return real(request);
    });
    const first = client.submit({ hasRead: '1' });
    await asked.promise;
    const again = await second.submit({ hasRead: '1' });
    expect([again.status, again.location]).toEqual([303, '/hosted/moment']);
    const moment = await second.get('/hosted/moment');
    expect([moment.status, moment.heading]).toEqual([200, 'One moment']);
    expect(moment.text).toContain('http-equiv="refresh"');
    released.resolve();
    expect((await first).location).toBe('/hosted');
    expect((await second.open('/hosted/moment')).path).toBe('/hosted/kyc');
    const rows = await journey.query('SELECT 1 FROM journey_intents WHERE journey_id = $1');
    expect(rows).toHaveLength(1);
  });

  it('a second tab that comes later changes nothing and is led to where the journey is', async () => {
    const { journey, client, offers } = await withOffers(true);
    const tab = client.copy();
    await client.get(`/hosted/offers/${offers[0].offerId}/confirm?amount=150000`);
    await tab.get(`/hosted/offers/${offers[1].offerId}/confirm?amount=100000`);
    await client.submit({ hasRead: '1' });
    const late = await tab.submit({ hasRead: '1' });
    expect([late.status, late.location]).toEqual([303, '/hosted']);
    expect((await tab.open('/hosted')).path).toBe('/hosted/kyc');
    expect((await journey.view()).selected?.offer.offerId).toBe(offers[0].offerId);
    // Back shows no earlier form: the page is not kept, and asked for it says what it would change.
    const back = await tab.get(`/hosted/offers/${offers[1].offerId}/confirm?amount=100000`);
    expect(back.text).toContain('stays your choice until you confirm another');
  });

  it('a form of an earlier round leads to the offers of this one', async () => {
    const { journey, client, path } = await withOffers();
    await client.get(`${path}/confirm?amount=150000`);
    const answer = await client.submit({ hasRead: '1' }, { fields: { shown: 'another round' } });
    expect([answer.status, answer.location]).toEqual([303, '/hosted']);
    expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
  });
});

describe('REST beside the screens', () => {
  it('selects an offer without a hash as before, and drops one that it is sent', async () => {
    const partner = partnerClient(service);
    const { json } = await partner.initiate(loanRequest());
    const { journeyId, journeySession } = json.data;
    const offerId = await eventually(async () => {
      const { data } = (await partner.journey(journeyId, journeySession)).json;
      expect(data.state).toBe('OFFERS_RECEIVED');
      return data.offers[0].offerId;
    }, WAIT);
    const { status } = await partner.action(journeyId, journeySession, 'SELECT_OFFER', {
      offerId,
      shownKeyFacts: { hash: 'f'.repeat(64), issuedAt: '2020-01-01T00:00:00.000Z' },
    });
    expect(status).toBe(200);
  });
});
