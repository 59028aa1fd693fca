import { beforeAll, describe, expect, it } from 'vitest';
import {
  askForLink,
  atCode,
  codeFor,
  HostedClient,
  type HostedPage,
  linkFor,
  messagesTo,
  plain,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { DuePoller, translate } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { recordsOf } from '../../support/journey-records.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { expectWords } from '../hosted-steps/step-journey.js';
import { newAddress, setOperating } from './code-bench.js';

const HOUR = 3_600_000;
const LINKS_PER_ADDRESS = 6;

const service = serviceOfFile();
const records = recordsOf(service);

beforeAll(() => setOperating(service, { linksPerAddressPerHour: LINKS_PER_ADDRESS }));

/** A browser with its own address, so that no test uses up another's limit. */
function visitor(): HostedClient {
  return new HostedClient(service.baseUrl, newAddress());
}

const ask = (mobile: string) => askForLink(service, mobile, newAddress());

/** Requests a link with only a mobile number; returns the link. */
async function askedFor(mobile: string): Promise<string> {
  await ask(mobile);
  return linkFor(service, mobile);
}

/** Expects the link's validity and the button for a new link. */
function expectRule({ text }: HostedPage, language: 'en' | 'hi'): void {
  const time = { en: '3 days', hi: '3 दिन' }[language];
  expect(plain(text)).toContain(translate(language, 'entry.expired.lead', { time }));
  expect(plain(text)).toContain(translate(language, 'entry.link.button'));
}

/** The links queued for a journey, after the background has processed every request. */
async function linksPutFor(journeyId: string): Promise<object[]> {
  service.get<DuePoller>(DuePoller).lookNow();
  await eventually(async () => {
    expect(await records.query('SELECT id FROM link_requests')).toEqual([]);
  });
  return records.query(
    `SELECT id FROM sms_messages WHERE subject_id = $1 AND kind = 'HOSTED_LINK'`,
    [journeyId],
  );
}

describe('a link', () => {
  it('is not used up by opening it, however often: a preview does no harm; it is used up by its button, once among all who press it', async () => {
    const { link } = await startHosted(service);
    const visitors = [visitor(), visitor(), visitor()];
    for (const each of visitors) {
      const { status, headers, heading } = await each.get(link);
      expect([status, heading]).toEqual([200, 'Compare offers for your ₹2,00,000 loan']);
      expect(headers.getSetCookie().join()).not.toContain('session=');
    }
    const answers = await Promise.all(visitors.map((each) => each.submit()));
    const entered = answers.filter(({ location }) => location === '/hosted/code');
    expect(entered).toHaveLength(1);
    const [session] = entered[0].headers.getSetCookie();
    expect(session).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(answers.filter(({ location }) => location === link)).toHaveLength(2);
  });

  it('whose button is pressed twice in the same browser lets it in all the same', async () => {
    const start = await startHosted(service);
    const client = visitor();
    await client.open(start.link);
    // The browser misses the response to the first press, so it keeps its earlier cookies.
    const impatient = client.copy();
    expect((await client.submit()).location).toBe('/hosted/code');
    expect((await impatient.submit()).location).toBe('/hosted/code');
    const code = await codeFor(service, start.mobile);
    expect(await messagesTo(service, start.mobile)).toHaveLength(1);
    expect((await client.get('/hosted/code')).location).toBe('/hosted/link');
    await impatient.open('/hosted/code');
    expect((await impatient.send303({ code })).path).toBe('/hosted/consent');
  });

  it('that has been used says so; a fresh one leads a signed-in applicant to where they are, and another phone, after the code, to where it stopped', async () => {
    const start = await startHosted(service);
    const first = await signedIn(service, start, newAddress());
    expect((await first.get(start.link)).location).toBe('/hosted');
    const used = await visitor().get(start.link);
    expect([used.status, used.heading]).toEqual([410, 'This link was already used']);
    expectRule(used, 'en');
    const link = await askedFor(start.mobile);
    expect((await first.get(link)).location).toBe('/hosted');
    const stranger = await signedIn(service, await startHosted(service), newAddress());
    expect((await stranger.get(link)).heading).toBe('Compare offers for your ₹2,00,000 loan');
    await first.send303({ agree: '1' });
    const other = visitor();
    expect((await other.get(link)).heading).toBe('Go on where you left off');
    const before = await codeFor(service, start.mobile);
    await other.send303();
    expect((await first.get('/hosted/check')).status).toBe(200);
    await other.send303({ code: await codeFor(service, start.mobile, before) });
    expect(other.page!.path).toBe('/hosted/check');
    expect((await first.get('/hosted/check')).location).toBe('/hosted/link');
  });

  it('that has expired says so, and has a fresh one sent that works', async () => {
    const start = await startHosted(service);
    await service.travel(73 * HOUR);
    const client = visitor();
    expectRule(await client.inLanguage('hi').get(start.link), 'hi');
    const spent = await client.get(start.link);
    expect([spent.status, spent.heading]).toEqual([410, 'This link has expired']);
    expectRule(spent, 'en');
    const sent = await client.send303();
    expect([sent.path, sent.heading]).toEqual(['/hosted/link/sent', 'Check your messages']);
    const link = await linkFor(service, start.mobile);
    expect(link).not.toBe(start.link);
    await signedIn(service, { ...start, link }, newAddress());
  });

  it('that is unknown asks for the mobile number, as people write it', async () => {
    const { mobile } = await startHosted(service);
    const client = visitor();
    const unknown = await client.get('/hosted/start/nonsense');
    expect([unknown.status, unknown.heading]).toEqual([404, 'This link is not valid']);
    await client.open('/hosted/link');
    expectWords(await client.submit({ mobile: '12345' }), '10-digit');
    await client.send303({ mobile: `+91 (${mobile.slice(0, 5)}) ${mobile.slice(5)}` });
    await linkFor(service, mobile);
  });
});

describe('asking for a fresh link', () => {
  it('is answered in the same words whether there is a journey or not', async () => {
    const { mobile } = await startHosted(service);
    const [known, unknown] = [await ask(mobile), await ask('9000000000')];
    expect(plain(known.text)).toBe(plain(unknown.text));
    expect([known.path, known.status]).toEqual([unknown.path, unknown.status]);
    await linkFor(service, mobile);
  });

  it('sends three an hour to a journey at most, and says nothing about it', async () => {
    const start = await startHosted(service);
    for (let times = 0; times < 4; times += 1)
      expect((await ask(start.mobile)).heading).toBe('Check your messages');
    expect(await linksPutFor(start.id)).toHaveLength(3);
    await service.travel(HOUR + 1_000);
    await ask(start.mobile);
    expect(await linksPutFor(start.id)).toHaveLength(4);
  });

  it('is paused for a client address over the limit of the setting, and the page says until when', async () => {
    const from = newAddress();
    const askFrom = (at: { address: string }) => askForLink(service, '9000000000', at);
    for (let times = 0; times < LINKS_PER_ADDRESS; times += 1)
      expect((await askFrom(from)).path).toBe('/hosted/link/sent');
    const paused = await askFrom(from);
    expect([paused.status, paused.heading]).toEqual([429, 'Too many tries']);
    expect(plain(paused.text)).toMatch(/You can try again after \d+ \w+ \d{4}, \d+:\d\d [ap]m/);
    expect((await askFrom(newAddress())).path).toBe('/hosted/link/sent');
  });

  it('goes to the newest journey that still goes on; the link of one that is over leads to how it ended, after the code', async () => {
    const { mobile, id } = await startHosted(service);
    const second = await startHosted(service, { mobile });
    const over = await startHosted(service, { mobile });
    await records.query(
      `UPDATE journeys SET state = 'ABANDONED', finished_at = updated_at WHERE id = $1`,
      [over.id],
    );
    await askedFor(mobile);
    const put = [id, second.id, over.id].map((journey) => linksPutFor(journey));
    expect((await Promise.all(put)).map(({ length }) => length)).toEqual([0, 1, 0]);
    const client = visitor();
    expect((await client.get(over.link)).heading).toBe('See how your application ended');
    await client.send303();
    await client.submit({ code: await codeFor(service, mobile) });
    expect((await client.get('/hosted')).location).toBe('/hosted/abandoned');
  });
});

describe('a session', () => {
  it('ends after half an hour without use, and a fresh link goes on where it stopped; after half a day however much it is used', async () => {
    const start = await startHosted(service);
    const client = await signedIn(service, start, newAddress());
    await client.send303({ agree: '1' });
    await service.travel(29 * 60_000);
    expect((await client.get('/hosted/check')).status).toBe(200);
    await service.travel(31 * 60_000);
    const out = await client.open('/hosted/check');
    expect([out.path, out.heading]).toEqual(['/hosted/link', 'Sign in again']);
    expect(out.text).not.toContain('name="mobile"');
    await client.send303();
    const link = await linkFor(service, start.mobile);
    const again = await signedIn(service, { ...start, link }, newAddress());
    expect(again.page!.path).toBe('/hosted/check');
    const end = async () => {
      const [row] = await records.query<{ at: Date }>(
        `SELECT max(expires_at) AS at FROM hosted_sessions WHERE journey_id = $1`,
        [start.id],
      );
      return row.at.getTime();
    };
    const expires = await end();
    expect(Math.abs(expires - service.now().getTime() - 12 * HOUR)).toBeLessThan(60_000);
    await again.get('/hosted/check');
    expect(await end()).toBe(expires);
    await records.query('UPDATE hosted_sessions SET expires_at = app_now() WHERE journey_id = $1', [
      start.id,
    ]);
    expect((await again.get('/hosted/check')).location).toBe('/hosted/link');
  });

  it('before the code belongs to no applicant, and no link leads past it; gets another token at the sign-in, and the earlier one is worth nothing', async () => {
    const start = await startHosted(service);
    const client = await atCode(service, start, newAddress());
    for (const path of ['', '/consent', '/check', '/waiting', '/details', '/returned/KYC']) {
      const { status, location } = await client.get(`/hosted${path}`);
      expect([path, status, location]).toEqual([path, 303, '/hosted/code']);
    }
    const before = client.cookies.get('session')!;
    await client.open('/hosted/code');
    await client.send303({ code: await codeFor(service, start.mobile) });
    expect(client.cookies.get('session')).not.toBe(before);
    const fixed = visitor();
    fixed.cookies.set('session', before);
    for (const path of ['/hosted', '/hosted/consent'])
      expect((await fixed.get(path)).location).toBe('/hosted/link');
    const late = await startHosted(service);
    const undecided = await atCode(service, late, newAddress());
    expect((await undecided.get(await askedFor(late.mobile))).heading).toBe(
      'Compare offers for your ₹2,00,000 loan',
    );
  });

  it('shows one journey alone, and none without it', async () => {
    for (const fullName of ['Asha Verma', 'Ravi Kumar']) {
      const start = await startHosted(service, { customer: { fullName } });
      const client = await signedIn(service, start, newAddress());
      expectWords(await client.send303({ agree: '1' }), fullName);
    }
    for (const path of ['', '/consent', '/check', '/waiting', '/details']) {
      const { status, location } = await visitor().get(`/hosted${path}`);
      expect([path, status, location]).toEqual([path, 303, '/hosted/link']);
    }
  });
});
