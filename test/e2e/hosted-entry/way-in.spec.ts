import { beforeAll, describe, expect, it } from 'vitest';
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
import { recordsOf } from '../../support/journey-records.js';
import { shortLoanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { expectWords } from '../hosted-steps/step-journey.js';

const service = serviceOfFile();
const records = recordsOf(service);
let demo: PartnerClient;

beforeAll(() => {
  demo = partnerClient(service);
});

const questionsOf = (id: string) =>
  records.query('SELECT id FROM lender_questions WHERE subject_id = $1', [id]);

const stateOf = async (id: string) => (await demo.journey(id)).json.data.state;

describe('the way in', () => {
  it('leads from the link to the offers, and no lender is asked before the confirmation; without the tick is shown again, with what is wrong; no address or title has personal data', async () => {
    const start = await startHosted(service);
    const client = new HostedClient(service.baseUrl);
    const first = await client.open(start.link);
    expect([first.status, first.heading]).toEqual([200, 'Compare offers for your ₹2,00,000 loan']);
    const code = await client.send303();
    expect([code.path, code.heading]).toEqual(['/hosted/code', 'Enter the code']);
    expectWords(code, `ending ${start.mobile.slice(-4)}`);
    const consent = await client.send303({ code: await codeFor(service, start.mobile) });
    expect([consent.path, consent.heading]).toEqual([
      '/hosted/consent',
      'May lenders see your details?',
    ]);
    const again = await client.submit();
    expectWords(again, 'Please correct Tick the box if you agree');
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
    expectWords(check, '₹2,00,000', 'Asha Verma', '•••••234F', '15 April 1990', '560001');
    expect(check.text).not.toContain('of coins');
    for (const { path, text } of [first, code, consent, check]) {
      const shown = [...text.matchAll(/<title>.+<\/title>|(?:href|action|src)="[^"]*"/g), path];
      expect(shown.join('\n')).not.toMatch(new RegExp(`Asha|${start.id}`));
      expect(text).not.toMatch(new RegExp(`ABCDE1234F|${start.mobile}`));
    }
    expect(await questionsOf(start.id)).toEqual([]);

    expect((await client.submit()).location).toBe('/hosted');
    expect(await questionsOf(start.id)).toHaveLength(3);
    await eventually(
      async () => expect((await client.get('/hosted')).location).toBe('/hosted/offers'),
      { withinMs: 30_000 },
    );
  });

  it('asks on one page for what the partner has not given, and nothing else', async () => {
    const body = shortLoanRequest({ firstName: undefined, lastName: undefined });
    const mobile = newMobile();
    const given = { mobile, channel: 'API_HOSTED', loanAmount: 200_000 };
    const { json } = await demo.initiate({ ...body, ...given });
    const link = new URL(json.data.hostedUrl).pathname;
    const client = await signedIn(service, { id: json.data.journeyId, mobile, link });
    expectWords(client.page!, 'Step 1 of 9');
    const details = await client.send303({ agree: '1' });
    expect([details.path, details.heading]).toEqual(['/hosted/details', 'About you']);
    expectWords(details, 'Step 2 of 9');
    expect(details.text).not.toMatch(/name="(monthlyIncome|pinCode)"/);
    const wrong = await client.submit({ fullName: ' ' });
    expectWords(wrong, 'Please correct', 'Enter your name', 'Choose your gender', 'how you earn');
    const check = await client.send303({
      fullName: 'Asha Verma',
      gender: 'FEMALE',
      employmentType: 'selfEmployed',
    });
    expect(check.path).toBe('/hosted/check');
    expectWords(check, 'Step 3 of 9', 'Asha Verma', 'Female', 'Own business', '₹60,000');
  });

  it('lets details be corrected, and shows the correction; confirms what it showed, and takes each form once', async () => {
    const start = await startHosted(service);
    const client = await signedIn(service, start);
    const twice = (fields = {}) => Promise.all([client.submit(fields), client.submit(fields)]);
    for (const { status } of await twice({ agree: '1' })) expect(status).toBe(303);
    const details = await client.open('/hosted/details?all');
    expect(details.text).toContain('value="60,000"');
    expect(plain(details.text)).not.toMatch(/Step \d/);
    expectWords(await client.submit({ monthlyIncome: 'a lot' }), 'Enter rupees, such as');
    const check = await client.send303({ monthlyIncome: 'Rs. ४५,०००/-' });
    expect(check.path).toBe('/hosted/check');
    expectWords(check, '₹45,000 a month');
    expect((await client.get('/hosted/details')).location).toBe('/hosted/check');
    expect((await client.copy().get('/hosted/details/dob')).status).toBe(404);

    const [otherTab, lateTab] = [client.copy(), client.copy()];
    for (const tab of [otherTab, lateTab]) await tab.open('/hosted/details?all');
    await otherTab.send303({ pinCode: '400001' });
    const again = await client.submit();
    expect(again.status).toBe(200);
    expectWords(again, translate('en', 'entry.changed'), '400001');
    expect(await questionsOf(start.id)).toEqual([]);
    for (const { status } of await twice()) expect(status).toBe(303);
    expect(await questionsOf(start.id)).toHaveLength(3);
    const once = (await records.trail(start.id)).filter((one) => /^CON(SENT|FIRM)ED$/.test(one));
    expect(once).toEqual(['CONSENTED', 'CONFIRMED']);

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
    expectWords(await client.open('/hosted/stop'), 'no lender hears of you');
    expect((await client.send303()).path).toBe('/hosted/abandoned');
    expect(await stateOf(start.id)).toBe('ABANDONED');
    expect(await questionsOf(start.id)).toEqual([]);
  });

  it('shows which lenders have answered, goes on automatically without a script, and says why it waits again', async () => {
    const start = await startHosted(service, { pan: 'SANDX0002A' });
    const client = await confirmed(service, start);
    const waiting = client.page!;
    expect([waiting.path, waiting.heading]).toEqual(['/hosted/waiting', 'Getting your offers']);
    expect(waiting.text).toContain('<meta http-equiv="refresh" content="2">');
    expectWords(
      waiting,
      'Navdhara Capital Limited',
      'Asked, no answer yet',
      translate('en', 'entry.waiting.leave'),
    );
    expect(plain(waiting.text)).not.toContain('Your earlier offers expired');
    await records.query('UPDATE journeys SET offer_round = 2 WHERE id = $1', [start.id]);
    expectWords(await client.get('/hosted/waiting'), 'Your earlier offers expired');
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
