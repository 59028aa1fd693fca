import { beforeAll, describe, expect, it } from 'vitest';
import {
  codeFor,
  HostedClient,
  type HostedStart,
  newMobile,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { recordsOf } from '../../support/journey-records.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { expectWords } from '../hosted-steps/step-journey.js';

const ASKED = 'How much do you need?';
const service = serviceOfFile();
const records = recordsOf(service);
let demo: PartnerClient;

beforeAll(() => {
  demo = partnerClient(service);
});

/** A hosted journey without an amount; only variant B allows this. */
async function startedWithoutAmount(productCode = 'ONLINE_PERSONAL'): Promise<HostedStart> {
  const mobile = newMobile();
  const { loanAmount: _, ...body } = loanRequest({ productCode, mobile, channel: 'API_HOSTED' });
  const { fullName: __, ...customer } = body.customer;
  const variantB = { ...customer, firstName: 'Asha', lastName: 'Verma', termsAccepted: true };
  const { status, json } = await demo.initiate({ ...body, customer: variantB });
  expect([status, json.error]).toEqual([200, undefined]);
  return { id: json.data.journeyId, mobile, link: new URL(json.data.hostedUrl).pathname };
}

/** The partner's view of the amount: of the journey, and of its lead. */
async function amountsOf(id: string) {
  const { loanAmount, loanAmountSource } = (await demo.journey(id)).json.data;
  const { json } = await demo.get<{ leads: object[] }>(`/leads?journeyId=${id}`);
  expect(json.data.leads).toMatchObject([{ loanAmount, loanAmountSource }]);
  return [loanAmount, loanAmountSource];
}

const questionsOf = (id: string) =>
  records.query('SELECT id FROM lender_questions WHERE subject_id = $1', [id]);

describe('a hosted journey without loanAmount', () => {
  it('asks it first, and suggests the product’s; takes one answer of two, says what is wrong with another, and keeps the link fresh', async () => {
    const start = await startedWithoutAmount('ONLINE_GOLD');
    const client = new HostedClient(service.baseUrl);
    const page = await client.open(start.link);
    expect([page.status, page.heading]).toEqual([200, ASKED]);
    expectWords(page, '₹1,000 to ₹1,00,00,000');
    expect(page.text).toContain('name="loanAmount" type="text" value="1,00,000"');
    for (const loanAmount of ['<script>', '10000000.01']) {
      const again = await client.send303({ loanAmount });
      expect([again.path, again.status, again.heading]).toEqual([start.link, 200, ASKED]);
      expect(again.text).toContain('aria-invalid="true"');
      expect(again.text).not.toContain('<script>');
    }
    const [{ used_at }] = await records.query<{ used_at: Date | null }>(
      'SELECT used_at FROM hosted_links WHERE journey_id = $1',
      [start.id],
    );
    expect([used_at, ...(await amountsOf(start.id))]).toEqual([null, 100_000, 'DEFAULT']);
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
    const writers = await records.query(
      `SELECT xmin::text AS writer FROM journeys WHERE id = $1
       UNION SELECT xmin::text FROM applications WHERE journey_id = $1`,
      [start.id],
    );
    expect(writers).toHaveLength(1);
    await client.send303({ code: await codeFor(service, start.mobile) });
    await client.send303({ agree: '1' });
    const answers = { gender: 'FEMALE', employmentType: 'salaried' };
    while (client.page!.path.startsWith('/hosted/details')) await client.send303(answers);
    expect(client.page!.path).toBe('/hosted/check');
    expectWords(client.page!, '₹1,50,000');
    expect(await questionsOf(start.id)).toEqual([]);
    await client.send303();
    expect(await questionsOf(start.id)).toHaveLength(3);
  });
});

it('the amount can be changed before the lenders are asked, also when the partner named it, and the check is read again', async () => {
  const start = await startHosted(service, { pan: 'SANDX0002A' });
  const client = await signedIn(service, start);
  expect((await client.get('/hosted/amount')).location).toBe('/hosted/consent');
  await client.send303({ agree: '1' });
  const check = client.copy();
  const page = await client.open('/hosted/amount');
  expect(page.text).toContain('href="/hosted/check"');
  await client.send303({ loanAmount: '2,00,000' });
  expect(await amountsOf(start.id)).toEqual([200_000, 'PARTNER']);
  await client.open('/hosted/amount');
  const late = client.copy();
  const changed = await client.send303({ loanAmount: '75000.50' });
  expectWords(changed, '₹75,000.50');
  // The check page in another tab shows the earlier amount.
  expect((await check.send303()).path).toBe('/hosted/check');
  expect(await questionsOf(start.id)).toEqual([]);
  await client.send303();
  expect((await late.send303({ loanAmount: '1000' })).path).toBe('/hosted/waiting');
  expect(await amountsOf(start.id)).toEqual([75_000.5, 'APPLICANT']);
});
