// Isolated: fills the whole inbox, and starts with other environments.
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keyring } from '../../../src/platform/index.js';
import { axeCheck, browserTests, DESKTOP, PHONE, sidewaysOverflow } from '../../support/browser.js';
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

  it.each([
    ['a phone in English', { viewport: PHONE, language: 'en' as const }],
    [
      'a laptop in Hindi, dark',
      { viewport: DESKTOP, language: 'hi' as const, colorScheme: 'dark' as const },
    ],
  ])('on %s breaks no rule of WCAG 2.2 AA and fits', async (_, options) => {
    const visit = await visitTo(service.baseUrl, options);
    await visit.goto('/sandbox/inbox');
    await axeCheck(visit.page);
    expect(await sidewaysOverflow(visit.page)).toBe(0);
    expect(visit.complaints).toEqual([]);
    expect(visit.foreignRequests).toEqual([]);
  });

  it('filters by a number without JavaScript, and its link leads where the message says', async () => {
    const visit = await visitTo(service.baseUrl, { javaScript: false });
    await visit.goto('/sandbox/inbox');
    await visit.page.getByLabel('Mobile number').fill(`+91 ${MOBILE}`);
    await visit.page.getByRole('button', { name: 'Show its messages' }).click();
    await expect.poll(() => visit.page.getByRole('article').count()).toBe(2);
    const link = visit.page.getByRole('article').first().getByRole('link');
    expect(await link.getAttribute('href')).toContain(`${service.baseUrl}/health`);
  });

  it('shows a new message by itself', async () => {
    const visit = await visitTo(service.baseUrl);
    await visit.goto('/sandbox/inbox?mobile=9845454545');
    await visit.page.getByText('No messages.').waitFor();
    const applicant = { mobile: '9845454545', pan: 'ABCDE1234F' };
    await bench.smsOutbox.handOver(await bench.put({ applicant }));
    await visit.page.getByRole('article').waitFor();
    expect(await visit.page.getByRole('article').innerText()).toContain('To 9845454545');
    expect(visit.complaints).toEqual([]);
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
      const found = await messages(`?mobile=${mobile}`);
      expect(found.map(({ id }) => id)).toEqual([newer, older]);
      expect(found[0]).toMatchObject({
        kind: 'APPLICATION_LINK',
        language: 'hi',
        mobile,
        links: ['https://rinpath.example/pay/token'],
      });
      expect(found[0].text).toContain('ऑफ़र');
      expect(Date.parse(found[0].receivedAt)).not.toBeNaN();
    });

    it.each(['9822222222', '%2B91%2098222%2022222'])(
      'finds the messages of one number, written %s',
      async (written) => {
        const id = await send({ applicant: to('9822222222') });
        await send({ applicant: to('9833333333') });
        const found = await messages(`?mobile=${written}`);
        expect(found[0].id).toBe(id);
        expect(new Set(found.map(({ mobile }) => mobile))).toEqual(new Set(['9822222222']));
      },
    );

    it('answers nothing for a number that got nothing', async () => {
      expect(await messages('?mobile=9000000000')).toEqual([]);
      expect(await messages('?mobile=x')).toEqual([]);
    });

    it('shows a page on which each message’s link can be opened, in its language', async () => {
      const mobile = '9844444444';
      const link = `${service.baseUrl}/hosted/start/abc`;
      await send({ applicant: to(mobile), values: { link }, language: 'hi' });
      const html = await pageOf(`?mobile=${mobile}`);
      expect(html).toContain(`<a href="${link}">${link}</a>`);
      expect(html).toContain('<p lang="hi">');
      expect(html).toContain(`value="${mobile}"`);
      expect(await pageOf('', 'hi')).toContain('कोई SMS नहीं भेजता');
    });

    it('shows a text as text, whatever stands in it', async () => {
      const mobile = '9855555555';
      const code = '<script>alert(1)</script>';
      await send({ applicant: to(mobile), kind: 'ONE_TIME_CODE', values: { code } });
      const html = await pageOf(`?mobile=${mobile}`);
      expect(html).not.toContain(code);
      expect(html).toContain('&lt;script&gt;');
      expect(await pageOf('?mobile=%22%3E%3Cscript%3E')).not.toContain('"><script>');
    });

    it('has no message for the applicant whose gateway is down', async () => {
      const applicant = { mobile: '9866666666', pan: 'SANDX0011A' };
      const id = await bench.put({ applicant });
      expect(await bench.smsOutbox.handOver(id)).toBe(false);
      expect(await bench.record(id)).toMatchObject({ status: 'WAITING', attempts: 1 });
      expect(await messages(`?mobile=${applicant.mobile}`)).toEqual([]);
    });

    it('loses a subject’s messages when its applicant is erased', async () => {
      const sms = someSms({ applicant: to('9877777777') });
      const { id } = await bench.database.transaction((tx) => bench.smsOutbox.put(tx, sms));
      await bench.smsOutbox.handOver(id);
      expect(await messages('?mobile=9877777777')).toHaveLength(1);
      const { partnerId, subjectId } = sms;
      expect(await eraseRecords(service, { partnerId, id: subjectId })).toBe(1);
      expect(await messages('?mobile=9877777777')).toEqual([]);
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

  describe('away from a developer’s machine the inbox', () => {
    // Nobody may know its keys, so it has none of the demonstration's.
    const partners = [{ id: 'demo', name: 'Partner', keys: [] }];

    async function statusWith(environment: Record<string, string>): Promise<number> {
      const configuration = configurationWith({ partners });
      const own = await startService({
        configFile: configuration.file,
        environment: { BASE_URL: 'https://sandbox.example', ...environment },
      });
      try {
        const { port } = own.app.getHttpServer().address() as AddressInfo;
        const page = await fetch(`http://127.0.0.1:${port}/sandbox/inbox`);
        const json = await fetch(`http://127.0.0.1:${port}/sandbox/inbox.json`);
        expect(json.status).toBe(page.status);
        return page.status;
      } finally {
        await own.close();
        configuration.remove();
      }
    }

    it('is not there', async () => {
      expect(await statusWith({})).toBe(404);
    });

    it('is there when the operator has said that everybody may read it', async () => {
      expect(await statusWith({ SANDBOX_OPEN: 'true' })).toBe(200);
    });
  });
});
