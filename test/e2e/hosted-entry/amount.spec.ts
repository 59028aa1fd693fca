import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  codeFor,
  HostedClient,
  type HostedPage,
  type HostedStart,
  newMobile,
  plain,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

const ASKED = 'How much do you need?';
let service: TestService;
let records: JourneyRecords;
let demo: PartnerClient;

beforeAll(async () => {
  service = await sharedService();
  records = new JourneyRecords(service.databaseUrl);
  demo = partnerClient(service);
});

afterAll(async () => {
  await records?.close();
});

/** A hosted journey whose partner sent everything but the amount, which only variant B may omit. */
async function startedWithoutAmount(productCode = 'ONLINE_PERSONAL'): Promise<HostedStart> {
  const mobile = newMobile();
  const { loanAmount: _, ...body } = loanRequest({ productCode, mobile, channel: 'API_HOSTED' });
  const { fullName: __, ...customer } = body.customer;
  const variantB = { ...customer, firstName: 'Asha', lastName: 'Verma', termsAccepted: true };
  const { status, json } = await demo.initiate({ ...body, customer: variantB });
  expect([status, json.error]).toEqual([200, undefined]);
  return { id: json.data.journeyId, mobile, link: new URL(json.data.hostedUrl).pathname };
}

/** The amounts that the partner reads: of the journey, and of its lead. */
async function amountsOf(id: string) {
  const journey = (await demo.journey(id)).json.data;
  const { json } = await demo.get<{ leads: object[] }>(`/leads?journeyId=${id}`);
  const [lead] = json.data.leads as { loanAmount: number; loanAmountSource?: string }[];
  expect(lead).toMatchObject({
    loanAmount: journey.loanAmount,
    loanAmountSource: journey.loanAmountSource,
  });
  return [journey.loanAmount, journey.loanAmountSource];
}

const questionsOf = (id: string) =>
  records.query('SELECT id FROM lender_questions WHERE subject_id = $1', [id]);

const usesOf = (id: string) =>
  records.query('SELECT 1 FROM hosted_links WHERE journey_id = $1 AND used_at IS NOT NULL', [id]);

/** From the code to the check page, filling in the details that are asked in between. */
async function toCheck(client: HostedClient, { mobile }: HostedStart): Promise<HostedPage> {
  await client.send303({ code: await codeFor(service, mobile) });
  await client.send303({ agree: '1' });
  const answers = { gender: 'FEMALE', employmentType: 'salaried' };
  while (client.page!.path.startsWith('/hosted/details')) await client.send303(answers);
  expect(client.page!.path).toBe('/hosted/check');
  return client.page!;
}

describe('a hosted journey without loanAmount', () => {
  it('asks it first, and suggests the default of the product', async () => {
    const start = await startedWithoutAmount('ONLINE_GOLD');
    const page = await new HostedClient(service.baseUrl).open(start.link);
    expect([page.status, page.heading]).toEqual([200, ASKED]);
    expect(plain(page.text)).toContain('₹1,000 to ₹1,00,00,000');
    expect(page.text).toContain('name="loanAmount" type="text" value="1,00,000"');
    expect(await amountsOf(start.id)).toEqual([100_000, 'DEFAULT']);
  });

  it('takes one answer when its button is pressed twice, says what is wrong with another, and keeps the link fresh', async () => {
    const start = await startedWithoutAmount();
    const client = new HostedClient(service.baseUrl);
    await client.open(start.link);
    for (const loanAmount of ['two lakh', '10000000.01']) {
      const page = await client.send303({ loanAmount });
      expect([page.path, page.status, page.heading]).toEqual([start.link, 200, ASKED]);
      expect(page.text).toContain('aria-invalid="true"');
    }
    expect(await usesOf(start.id)).toEqual([]);
    expect(await amountsOf(start.id)).toEqual([200_000, 'DEFAULT']);
    const both = ['30000', '90000'].map((loanAmount) => client.submit({ loanAmount }));
    for (const { location } of await Promise.all(both)) expect(location).toBe('/hosted/code');
    const [amount, source] = await amountsOf(start.id);
    expect([30_000, 90_000]).toContain(amount);
    expect(source).toBe('APPLICANT');
    const named = (await records.trail(start.id)).filter((trigger) => trigger === 'AMOUNT_NAMED');
    expect(named).toHaveLength(1);
  });

  it('takes the answer, shows it for a last check, and asks the lenders for it', async () => {
    const start = await startedWithoutAmount();
    const client = new HostedClient(service.baseUrl, { language: 'hi' });
    expect((await client.open(start.link)).heading).toBe('आपको कितने पैसे चाहिए?');
    await client.send303({ loanAmount: '₹ १,५०,०००' });
    expect(await amountsOf(start.id)).toEqual([150_000, 'APPLICANT']);
    const writers = await records.query<{ writer: string }>(
      `SELECT xmin::text AS writer FROM journeys WHERE id = $1
       UNION SELECT xmin::text FROM applications WHERE journey_id = $1`,
      [start.id],
    );
    expect(writers).toHaveLength(1);
    expect(plain((await toCheck(client, start)).text)).toContain('₹1,50,000');
    expect(await questionsOf(start.id)).toEqual([]);
    await client.send303();
    expect(await questionsOf(start.id)).toHaveLength(3);
    expect(await records.trail(start.id)).toContain('AMOUNT_NAMED');
  });

  it('asks after the sign-in when no page has asked before, and no lender hears of it', async () => {
    const start = await startHosted(service);
    const client = await signedIn(service, start);
    await records.query(`UPDATE journeys SET loan_amount_source = 'DEFAULT' WHERE id = $1`, [
      start.id,
    ]);
    const asked = await client.open('/hosted');
    expect([asked.path, asked.heading]).toEqual(['/hosted/amount', ASKED]);
    const wrong = await client.submit({ loanAmount: '999' });
    expect(plain(wrong.text)).toContain('Enter ₹1,000 to ₹1,00,00,000');
    expect((await client.send303({ loanAmount: '50,000' })).path).toBe('/hosted/consent');
    const check = await client.send303({ agree: '1' });
    await records.query(`UPDATE journeys SET loan_amount_source = 'DEFAULT' WHERE id = $1`, [
      start.id,
    ]);
    client.page = check;
    expect((await client.send303()).path).toBe('/hosted/amount');
    expect(await questionsOf(start.id)).toEqual([]);
  });
});

it('the amount can be changed before the lenders are asked, also when the partner named it, and the check is read again', async () => {
  const start = await startHosted(service, { pan: 'SANDX0002A' });
  const client = await signedIn(service, start);
  expect((await client.get('/hosted/amount')).location).toBe('/hosted/consent');
  const check = await client.send303({ agree: '1' });
  const page = await client.open('/hosted/amount');
  expect(page.text).toContain('value="2,00,000"');
  expect(page.text).toContain('href="/hosted/check"');
  await client.send303({ loanAmount: '2,00,000' });
  expect(await amountsOf(start.id)).toEqual([200_000, 'PARTNER']);
  await client.open('/hosted/amount');
  const late = client.copy();
  const changed = await client.send303({ loanAmount: '75000.50' });
  expect(plain(changed.text)).toContain('₹75,000.50');
  expect(await amountsOf(start.id)).toEqual([75_000.5, 'APPLICANT']);
  // The check page in another tab still shows the earlier amount.
  client.page = check;
  expect((await client.send303()).path).toBe('/hosted/check');
  expect(await questionsOf(start.id)).toEqual([]);
  await client.send303();
  expect((await late.send303({ loanAmount: '1000' })).path).toBe('/hosted/waiting');
  expect(await amountsOf(start.id)).toEqual([75_000.5, 'APPLICANT']);
});
