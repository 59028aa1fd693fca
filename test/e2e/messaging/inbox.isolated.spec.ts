// Isolated: fills the whole inbox, and starts with other environments.
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keyring } from '../../../src/platform/index.js';
import { axeCheck, browserTests, PHONE, sidewaysOverflow } from '../../support/browser.js';
import { configurationWith } from '../../support/configuration-with.js';
import { eraseRecords } from '../../support/erase-records.js';
import { type OwnService, startService } from '../../support/service.js';
import { SmsBench, someSms } from './sms-bench.js';

let service: OwnService;
let bench: SmsBench;

beforeAll(async () => {
  service = await startService();
  bench = new SmsBench(service);
});

afterAll(() => service?.close());

describe('the inbox in a browser', () => {
  const MOBILE = '9812312312';
  const visitTo = browserTests();

  beforeAll(async () => {
    for (const language of ['en', 'hi'] as const) {
      const link = `${service.baseUrl}/health?${'long'.repeat(30)}`;
      const applicant = { mobile: MOBILE, pan: 'ABCDE1234F' };
      await bench.smsOutbox.handOver(await bench.put({ language, applicant, values: { link } }));
    }
  });

  it('breaks no rule of WCAG 2.2 AA, fits a phone, and shows a new message', async () => {
    const options = { viewport: PHONE, language: 'hi' as const, colorScheme: 'dark' as const };
    const visit = await visitTo(service.baseUrl, options);
    await visit.goto(`/sandbox/inbox?mobile=${MOBILE}`);
    await visit.page.getByRole('article').first().waitFor();
    await axeCheck(visit.page);
    expect(await sidewaysOverflow(visit.page)).toBe(0);
    const applicant = { mobile: MOBILE, pan: 'ABCDE1234F' };
    await bench.smsOutbox.handOver(await bench.put({ applicant }));
    await expect.poll(() => visit.page.getByRole('article').count()).toBe(3);
    expect(visit.complaints).toEqual([]);
    expect(visit.foreignRequests).toEqual([]);
  });
});

describe('its messages', () => {
  interface InboxAnswer {
    success: boolean;
    data: {
      messages: {
        id: string;
        kind: string;
        language: string;
        mobile: string;
        text: string;
        links: string[];
        receivedAt: string;
      }[];
    };
  }

  async function messages(query = ''): Promise<InboxAnswer['data']['messages']> {
    const answer = await fetch(`${service.baseUrl}/sandbox/inbox.json${query}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { success, data } = (await answer.json()) as InboxAnswer;
    expect(success).toBe(true);
    return data.messages;
  }

  async function pageOf(query = '', language = 'en'): Promise<string> {
    const answer = await fetch(`${service.baseUrl}/sandbox/inbox${query}`, {
      headers: { accept: 'text/html', 'accept-language': language },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    return answer.text();
  }

  async function send(own: Parameters<typeof someSms>[0] = {}): Promise<string> {
    const id = await bench.put(own);
    await bench.smsOutbox.handOver(id);
    await bench.reaches(id, 'HANDED_OVER');
    return id;
  }

  const to = (mobile: string) => ({ mobile, pan: 'ABCDE1234F' });

  describe('the sandbox’s inbox', () => {
    it('answers what was sent, newest first, with the links for a test to follow', async () => {
      const mobile = '9811111111';
      const older = await send({ applicant: to(mobile) });
      const newer = await send({ applicant: to(mobile), kind: 'APPLICATION_LINK', language: 'hi' });
      await send({ applicant: to('9833333333') });
      const found = await messages(`?mobile=${mobile}`);
      expect(found.map(({ id }) => id)).toEqual([newer, older]);
      expect(await messages('?mobile=%2B91%2098111%2011111')).toEqual(found);
      for (const none of ['9000000000', 'x']) expect(await messages(`?mobile=${none}`)).toEqual([]);
      expect(found[0]).toMatchObject({
        kind: 'APPLICATION_LINK',
        language: 'hi',
        mobile,
        links: ['https://rinpath.example/pay/token'],
      });
      expect(found[0].text).toContain('ऑफ़र');
      expect(Date.parse(found[0].receivedAt)).not.toBeNaN();
    });

    it('shows a page on which each message’s link can be opened, in its language, and a text as text', async () => {
      const mobile = '9844444444';
      const link = `${service.baseUrl}/hosted/start/abc`;
      await send({ applicant: to(mobile), values: { link }, language: 'hi' });
      const html = await pageOf(`?mobile=${mobile}`);
      expect(html).toContain(`<a href="${link}">${link}</a>`);
      expect(html).toContain('<p lang="hi">');
      expect(html).toContain(`value="${mobile}"`);
      expect(await pageOf('', 'hi')).toContain('कोई SMS नहीं भेजता');
      const code = '<script>alert(1)</script>';
      await send({ applicant: to(mobile), kind: 'ONE_TIME_CODE', values: { code } });
      const withCode = await pageOf(`?mobile=${mobile}`);
      expect(withCode).not.toContain(code);
      expect(withCode).toContain('&lt;script&gt;');
      expect(await pageOf('?mobile=%22%3E%3Cscript%3E')).not.toContain('"><script>');
    });

    it('has no message for the applicant whose gateway is down, and loses those of an erased one', async () => {
      const applicant = { mobile: '9866666666', pan: 'SANDX0011A' };
      const down = await bench.put({ applicant });
      expect(await bench.smsOutbox.handOver(down)).toBe(false);
      expect(await bench.record(down)).toMatchObject({ status: 'WAITING', attempts: 1 });
      const sms = someSms({ applicant: to(applicant.mobile) });
      const { id } = await bench.database.transaction((tx) => bench.smsOutbox.put(tx, sms));
      await bench.smsOutbox.handOver(id);
      expect(await messages(`?mobile=${applicant.mobile}`)).toMatchObject([{ id }]);
      const { partnerId, subjectId } = sms;
      expect(await eraseRecords(service, { partnerId, id: subjectId })).toBe(1);
      expect(await messages(`?mobile=${applicant.mobile}`)).toEqual([]);
    });

    it('keeps the thousand newest', async () => {
      const oldest = await send();
      const sealed = service
        .get<Keyring>(Keyring)
        .seal(JSON.stringify({ mobile: '9888888888', text: 'x' }), 'sandbox_sms.content');
      await bench.database.query(
        `INSERT INTO sandbox_sms (id, partner_id, subject_id, kind, language, mobile_hash,
         content_sealed, received_at)
       SELECT 'sms_many' || n, 'demo', 'jrn_many', 'HOSTED_LINK', 'en', 'hash', $1,
         app_now() + n * interval '1 microsecond'
       FROM generate_series(1, 1200) AS n`,
        [sealed],
      );
      await bench.travel(1);
      const newest = await send();
      const [{ count }] = await bench.database.query<{ count: number }>(
        'SELECT count(*)::int FROM sandbox_sms',
      );
      expect(count).toBe(1_000);
      const ids = (await messages()).map(({ id }) => id);
      expect(ids[0]).toBe(newest);
      expect(ids).not.toContain(oldest);
    });
  });

  it('are not there away from a developer’s machine', async () => {
    // Nobody may know its keys, so it has none of the demonstration's.
    const partners = [{ id: 'demo', name: 'Partner', keys: [] }];
    const configuration = configurationWith({ partners });
    const environment = { BASE_URL: 'https://sandbox.example' };
    const own = await startService({ configFile: configuration.file, environment });
    const { port } = own.app.getHttpServer().address() as AddressInfo;
    for (const path of ['inbox', 'inbox.json'])
      expect((await fetch(`http://127.0.0.1:${port}/sandbox/${path}`)).status).toBe(404);
    await own.close();
    configuration.remove();
  });
});
