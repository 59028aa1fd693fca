import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { translate } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import {
  codeFor,
  confirmed,
  formOf,
  HostedClient,
  newMobile,
  plain,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { shortLoanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

let service: TestService;
let records: JourneyRecords;
let demo: PartnerClient;

beforeAll(async () => {
  service = await sharedService();
  records = new JourneyRecords(service.databaseUrl);
  demo = partnerClient(service);
});

afterAll(() => records.close());

const questionsOf = (id: string) =>
  records.query('SELECT id FROM lender_questions WHERE subject_id = $1', [id]);

const stateOf = async (id: string) => (await demo.journey(id)).json.data.state;

/** An applicant's browser with the cookies of another, in Hindi. */
function inHindi({ cookies }: HostedClient): HostedClient {
  const hindi = new HostedClient(service.baseUrl, { language: 'hi' });
  for (const [name, value] of cookies) hindi.cookies.set(name, value);
  return hindi;
}

describe('the way in', () => {
  it('leads from the link to the offers, and no lender is asked before the confirmation; without the tick is shown again, with what is wrong', async () => {
    const start = await startHosted(service);
    const client = new HostedClient(service.baseUrl);
    const first = await client.open(start.link);
    expect([first.status, first.heading]).toEqual([200, 'Compare offers for your ₹2,00,000 loan']);
    expect(plain(first.text)).toContain('with Demonstration Partner');
    const code = await client.send303();
    expect([code.path, code.heading]).toEqual(['/hosted/code', 'Enter the code']);
    expect(plain(code.text)).toContain(`ending ${start.mobile.slice(-4)}`);
    const consent = await client.send303({ code: await codeFor(service, start.mobile) });
    expect([consent.path, consent.heading]).toEqual([
      '/hosted/consent',
      'May lenders see your details?',
    ]);
    const again = await client.submit();
    expect(plain(again.text)).toContain('Please correct Tick the box if you agree');
    expect(again.text).toContain('href="#agree"');
    expect(again.text).toMatch(/<title>Error: May lenders see your details\?/);
    const { hidden } = formOf(again);
    const stranger = await new HostedClient(service.baseUrl).open('/hosted/link');
    for (const csrf of ['', 'nonsense', formOf(stranger).hidden.csrf]) {
      const refused = await client.post('/hosted/consent', { ...hidden, agree: '1', csrf });
      expect([refused.status, refused.heading]).toEqual([403, 'We could not accept this form']);
    }
    const check = await client.follow(
      await client.post('/hosted/consent', { ...hidden, agree: '1' }),
    );
    expect([check.path, check.heading]).toEqual(['/hosted/check', 'Is this right?']);
    const shown = plain(check.text);
    for (const text of ['₹2,00,000', 'Asha Verma', '•••••234F', '15 April 1990', '560001'])
      expect(shown).toContain(text);
    for (const text of [start.mobile, 'of coins']) expect(shown).not.toContain(text);
    expect(await questionsOf(start.id)).toEqual([]);

    const waiting = await client.submit();
    expect([waiting.status, waiting.location]).toEqual([303, '/hosted']);
    expect(await questionsOf(start.id)).toHaveLength(3);
    await eventually(async () => expect(await stateOf(start.id)).toBe('OFFERS_RECEIVED'), {
      withinMs: 30_000,
    });
    expect((await client.get('/hosted')).location).toBe('/hosted/offers');
  });

  it('asks on one page for what the partner has not given, and nothing else', async () => {
    const body = shortLoanRequest({ firstName: undefined, lastName: undefined });
    const mobile = newMobile();
    const { json } = await demo.initiate({
      ...body,
      mobile,
      channel: 'API_HOSTED',
      loanAmount: 200_000,
    });
    const link = new URL(json.data.hostedUrl).pathname;
    const client = await signedIn(service, { id: json.data.journeyId, mobile, link });
    expect(plain(client.page!.text)).toContain('Step 1 of 9');

    const details = await client.send303({ agree: '1' });
    expect([details.path, details.heading]).toEqual(['/hosted/details', 'About you']);
    expect(plain(details.text)).toContain('Step 2 of 9');
    for (const known of ['monthlyIncome', 'pinCode']) {
      expect(details.text).not.toContain(`name="${known}"`);
    }
    const wrong = plain((await client.submit({ fullName: ' ' })).text);
    for (const error of [
      'Please correct',
      'Enter your name',
      'Choose your gender',
      'how you earn',
    ]) {
      expect(wrong).toContain(error);
    }
    const given = { fullName: 'Asha Verma', gender: 'FEMALE', employmentType: 'selfEmployed' };
    const check = await client.send303(given);
    expect(check.path).toBe('/hosted/check');
    const shown = plain(check.text);
    for (const text of ['Step 3 of 9', 'Asha Verma', 'Female', 'Own business', '₹60,000']) {
      expect(shown).toContain(text);
    }
  });

  it('lets details be corrected, and shows the correction; confirms what it showed, and takes each form once', async () => {
    const start = await startHosted(service);
    const client = await signedIn(service, start);
    const consents = [client.submit({ agree: '1' }), client.submit({ agree: '1' })];
    for (const answer of await Promise.all(consents)) expect(answer.status).toBe(303);
    const details = await client.open('/hosted/details?all');
    expect(details.text).toContain('value="60,000"');
    expect(plain(details.text)).not.toMatch(/Step \d/);
    for (const [monthlyIncome, said] of [
      ['a lot', 'Enter rupees, such as'],
      ['', 'Enter your monthly income'],
    ])
      expect(plain((await client.submit({ monthlyIncome })).text)).toContain(said);
    const check = await client.send303({ monthlyIncome: 'Rs. ४५,०००/-' });
    expect(check.path).toBe('/hosted/check');
    expect(plain(check.text)).toContain('₹45,000 a month');
    expect((await client.get('/hosted/details')).location).toBe('/hosted/check');
    expect((await client.copy().get('/hosted/details/dob')).status).toBe(404);

    const [otherTab, lateTab] = [client.copy(), client.copy()];
    for (const tab of [otherTab, lateTab]) await tab.open('/hosted/details?all');
    await otherTab.send303({ pinCode: '400001' });
    const again = await client.submit();
    expect(again.status).toBe(200);
    expect(plain(again.text)).toContain(translate('en', 'entry.changed'));
    expect(plain(again.text)).toContain('400001');
    expect(await questionsOf(start.id)).toEqual([]);
    const answers = await Promise.all([client.submit(), client.submit(), client.submit()]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await questionsOf(start.id)).toHaveLength(3);
    const trail = await records.query<{ trigger: string }>(
      `SELECT trigger FROM journey_audit WHERE journey_id = $1 AND trigger <> 'OFFERS_ARRIVED'
       ORDER BY id`,
      [start.id],
    );
    const once = trail.filter(({ trigger }) => ['CONSENTED', 'CONFIRMED'].includes(trigger));
    expect(once).toHaveLength(2);
    expect(
      await records.query('SELECT 1 FROM consents WHERE journey_id = $1', [start.id]),
    ).toHaveLength(1);

    const places = ['/hosted/waiting', '/hosted/offers'];
    const late = await lateTab.send303({ fullName: 'Another Person' });
    expect(places).toContain(late.path);
    expect(plain((await client.open('/hosted')).text)).not.toContain('Another Person');
    for (const path of ['/hosted/consent', '/hosted/check', '/hosted/details'])
      expect(places).toContain((await client.get(path)).location);
  });

  it('can be stopped from the consent on, and no lender hears of it', async () => {
    const start = await startHosted(service);
    const client = await signedIn(service, start);
    expect(client.page!.text).not.toContain('href="/hosted/stop"');
    expect((await client.get('/hosted/stop')).location).toBe('/hosted');
    const check = await client.send303({ agree: '1' });
    expect(check.text).toContain('href="/hosted/stop"');
    const stop = plain((await client.open('/hosted/stop')).text);
    expect(stop).toContain('no lender hears of you');
    expect((await client.send303()).path).toBe('/hosted/abandoned');
    expect(await stateOf(start.id)).toBe('ABANDONED');
    expect(await questionsOf(start.id)).toEqual([]);
  });

  it('tells before the lenders are asked how much gold they may take', async () => {
    const client = await signedIn(
      service,
      await startHosted(service, { productCode: 'ONLINE_GOLD' }),
    );
    expect(plain((await client.send303({ agree: '1' })).text)).toContain(
      'Limit per lender: 1,000 g of ornaments and 50 g of coins',
    );
    const hindi = plain((await inHindi(client).open('/hosted')).text);
    for (const part of ['1,000 ग्राम गहने', '50 ग्राम सिक्के']) expect(hindi).toContain(part);
  });

  it('shows which lenders have answered, goes on automatically without a script, and says why it waits again', async () => {
    const start = await startHosted(service, { pan: 'SANDX0002A' });
    const client = await confirmed(service, start);
    const waiting = client.page!;
    expect([waiting.path, waiting.heading]).toEqual(['/hosted/waiting', 'Getting your offers']);
    expect(waiting.text).toContain('<meta http-equiv="refresh" content="2">');
    expect(plain(waiting.text)).toContain('Navdhara Capital Limited');
    expect(plain(waiting.text)).toContain('Asked, no answer yet');
    expect(plain(waiting.text)).not.toContain('Your earlier offers expired');
    await records.query('UPDATE journeys SET offer_round = 2 WHERE id = $1', [start.id]);
    const again = await client.get('/hosted/waiting');
    expect(plain(again.text)).toContain('Your earlier offers expired');
  });
});

describe('activity', () => {
  it('is every screen that is sent off: a journey in use is not abandoned; leaves an unconfirmed journey to be abandoned after a week, with no lender notified', async () => {
    const start = await startHosted(service);
    const activityOf = async () => {
      const [row] = await records.query<{ at: Date }>(
        'SELECT last_activity_at AS at FROM journeys WHERE id = $1',
        [start.id],
      );
      return row.at.getTime();
    };
    const client = await signedIn(service, start);
    const before = await activityOf();
    await client.send303({ agree: '1' });
    const after = await activityOf();
    expect(after).toBeGreaterThan(before);
    await client.open('/hosted');
    expect(await activityOf()).toBe(after);
    await service.travel(8 * 86_400_000);
    await service.get(AbandonmentTasks).run();
    await eventually(async () => expect(await stateOf(start.id)).toBe('ABANDONED'), {
      withinMs: 40_000,
    });
    expect(await questionsOf(start.id)).toEqual([]);
  });
});
