import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { quoteLoan } from '../../../src/loans/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { type HostedClient, type HostedPage, plain } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { journeysToLookAt, StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

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

/** The link to the statement on the confirmation page. */
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
  it('shows the statement for the amount, the whole of it under the same hash, and how the last EMI differs', async () => {
    const { client, path } = await withOffers();
    const page = await client.get(`${path}/confirm?amount=150000`);
    const words = wordsOf(page);
    for (const fact of ['₹1,50,000', '₹4,946', '₹1,46,310', '13.23%', 'Processing fee', '₹3,540'])
      expect(words).toContain(fact);
    expect(words).toContain('Processing fee: to the lender. ₹540 of it is GST.');
    expect(words).toContain('3 days after payout, no penalty');
    expect(words).toContain('Sharmila Deshpande');
    expect(words).toContain('Complain to the RBI Ombudsman at cms.rbi.org.in , or ask on 14448');

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
    // 36 times ₹6,594 is less than ₹2,37,393.
    const whole = wordsOf(await client.get(`${path}/confirm?amount=200000`));
    for (const fact of ['₹6,594', 'EMI × 36 months', '₹2,37,393', 'The last is slightly larger.'])
      expect(whole).toContain(fact);
    for (const address of ['/confirm', '/confirm?amount=5', '/key-facts/5/1', '/key-facts/1e5/x']) {
      const answer = await client.get(path + address);
      expect([address, answer.status, answer.location]).toEqual([address, 303, path]);
    }
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
    const { journey, client, path } = await withOffers(true);
    const href = await draftOf(client, path);
    expect((await client.get(`${href}.pdf`)).status).toBe(200);
    await journey.query(
      `UPDATE hosted_limits SET count = 29 WHERE kind = 'DRAFT_PDFS_OF_JOURNEY' AND ends_at =
         (SELECT max(ends_at) FROM hosted_limits WHERE kind = 'DRAFT_PDFS_OF_JOURNEY')`,
      [],
    );
    expect((await client.get(`${href}.pdf`)).status).toBe(200);
    const paused = await client.get(`${href}.pdf`);
    expect([paused.status, paused.heading]).toEqual([429, 'Too many tries']);
    expect(wordsOf(paused)).toMatch(/You can try again after \d+ \w+ \d{4}, \d+:\d\d [ap]m/);
    // Neither the page nor another journey is limited.
    expect((await client.get(href)).status).toBe(200);
    const another = await withOffers();
    const elsewhere = await draftOf(another.client, another.path);
    expect((await another.client.get(`${elsewhere}.pdf`)).status).toBe(200);
  });

  it('needs the word that the statement was read, and freezes exactly the statement that was shown', async () => {
    const { journey, client, path } = await withOffers(true);
    await client.get(`${path}/confirm?amount=150000`);
    const page = await client.submit();
    expect(wordsOf(page)).toContain('Read the Key Facts Statement, then tick the box');
    expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
    const hash = /name="keyFactsHash" value="([0-9a-f]{64})"/.exec(page.text)![1];
    // Time passes while the applicant reads.
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
});

it('409: another statement than was shown, or other terms meanwhile: nothing is agreed, and the page is shown again', async () => {
  const { journey, client, path } = await withOffers(true);
  await client.get(`${path}/confirm?amount=150000`);
  const soon = new Date(service.now().getTime() + 60_000).toISOString();
  const changes: Record<string, string>[] = [
    { keyFactsHash: 'f'.repeat(64) },
    { keyFactsHash: '' },
    { keyFactsIssuedAt: '2020-01-01T00:00:00.000Z' },
    { keyFactsIssuedAt: soon },
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

it('503: a lender that cannot be reached changes nothing, and a kind page leads to the same again', async () => {
  const { journey, client, path } = await withOffers(true);
  const confirm = `${path}/confirm?amount=150000`;
  const retryOf = ({ text }: HostedPage) => plain(/class="btn" href="([^"]+)"/.exec(text)![1]);
  const away = () =>
    vi.spyOn(lender(), 'quote').mockRejectedValueOnce(new LenderUnavailable('down'));
  for (const address of [path, confirm]) {
    away();
    const page = await client.get(address);
    expect([page.status, page.heading]).toEqual([
      503,
      'Navdhara Capital Limited can’t be reached right now',
    ]);
    expect((await client.get(retryOf(page))).status).toBe(200);
  }
  away();
  const page = await client.submit({ hasRead: '1' });
  expect([page.status, retryOf(page)]).toEqual([503, confirm]);
  expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
  await client.get(confirm);
  expect((await client.submit({ hasRead: '1' })).location).toBe('/hosted');
});

describe('hostile and hasty posts', () => {
  it('403: a form without its token; another journey’s offer leads back to one’s own; without a session to a new link', async () => {
    const one = await withOffers();
    const other = await withOffers(true);
    const tokenOf = (page: HostedPage) => /name="csrf" value="([^"]+)"/.exec(page.text)![1];
    const foreign = tokenOf(await other.client.get(other.path));
    for (const csrf of ['', 'x', foreign]) {
      for (const path of [one.path, `${one.path}/confirm`]) {
        const answer = await one.client.post(path, { csrf, loanAmount: '150000', hasRead: '1' });
        expect(answer.status).toBe(403);
      }
    }
    const addresses = ['', '/confirm?amount=150000', '/key-facts/150000/1'];
    for (const address of addresses) {
      const answer = await one.client.get(other.path + address);
      expect([answer.status, answer.location]).toEqual([303, '/hosted/offers']);
    }
    const csrf = tokenOf(await one.client.get(`${one.path}/confirm?amount=150000`));
    const answer = await one.client.post(`${other.path}/confirm`, { csrf, hasRead: '1' });
    expect([answer.status, answer.location]).toEqual([303, '/hosted/offers']);
    for (const { journey } of [one, other])
      expect((await journey.view()).state).toBe('OFFERS_RECEIVED');
    const visitor = one.client.copy();
    visitor.cookies.clear();
    for (const address of addresses) {
      const { status, location } = await visitor.get(one.path + address);
      expect([status, location]).toEqual([303, '/hosted/link']);
    }
  });

  it('a double press chooses once; the second one waits, then goes where the journey is, as does a second tab', async () => {
    const { journey, client, path, offers } = await withOffers(true);
    const real = lender().quote.bind(lender());
    await client.get(`${path}/confirm?amount=150000`);
    const second = client.copy();
    const tab = client.copy();
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
    expect((await tab.submit({ hasRead: '1' })).location).toBe('/hosted');
    expect((await journey.view()).selected?.offer.offerId).toBe(offers[0].offerId);
    // The page is not cached: going back loads it again, with the change that it would make.
    expect((await tab.get(other)).text).toContain('stays your choice until you confirm another');
  });
});
