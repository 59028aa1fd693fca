import { beforeAll, describe, expect, it } from 'vitest';
import type { NewSms } from '../../../src/messaging/index.js';
import { axeCheck, browserTests, PHONE, sidewaysOverflow } from '../../support/browser.js';
import { eraseRecords } from '../../support/erase-records.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { SmsBench } from './sms-bench.js';

const visitTo = browserTests();

const service = serviceOfFile();
let bench: SmsBench;

beforeAll(() => void (bench = new SmsBench(service)));

async function textOf(path: string, language = 'en'): Promise<string> {
  const headers = { accept: 'text/html', 'accept-language': language };
  const answer = await fetch(`${service.baseUrl}/sandbox/${path}`, { headers });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return answer.text();
}

async function messages(mobile: string): Promise<{ id: string; text: string }[]> {
  const answer = JSON.parse(await textOf(`inbox.json?mobile=${mobile}`)) as {
    data: { messages: { id: string; text: string }[] };
  };
  return answer.data.messages;
}

async function send(mobile: string, own: Partial<NewSms> = {}): Promise<string> {
  const id = await bench.put({ ...own, applicant: { mobile, pan: 'ABCDE1234F' } });
  await bench.smsOutbox.handOver(id);
  await bench.reaches(id, 'HANDED_OVER');
  return id;
}

describe('the sandbox’s inbox', () => {
  it('breaks no rule of WCAG 2.2 AA, fits a phone, and shows a new message', async () => {
    const mobile = '9812312312';
    for (const language of ['en', 'hi'] as const) {
      const link = `${service.baseUrl}/health?${'long'.repeat(30)}`;
      await send(mobile, { language, values: { link } });
    }
    const options = { viewport: PHONE, language: 'hi' as const, colorScheme: 'dark' as const };
    const { page, goto, complaints, foreignRequests } = await visitTo(service.baseUrl, options);
    await goto(`/sandbox/inbox?mobile=${mobile}`);
    await page.getByRole('article').first().waitFor();
    await axeCheck(page);
    expect(await sidewaysOverflow(page)).toBe(0);
    await send(mobile);
    await expect.poll(() => page.getByRole('article').count()).toBe(3);
    expect([complaints, foreignRequests]).toEqual([[], []]);
  });

  it('answers what was sent to a number, newest first, with the links for a test to follow', async () => {
    const mobile = '9811111111';
    const older = await send(mobile);
    const newer = await send(mobile, { kind: 'APPLICATION_LINK', language: 'hi' });
    await send('9833333333');
    const found = await messages(mobile);
    expect(found).toMatchObject([
      {
        id: newer,
        kind: 'APPLICATION_LINK',
        language: 'hi',
        mobile,
        text: expect.stringContaining('ऑफ़र') as string,
        links: ['https://rinpath.example/hosted/start/token'],
        receivedAt: expect.stringMatching(/^20.*Z$/) as string,
      },
      { id: older },
    ]);
    expect(await messages('%2B91%2098111%2011111')).toEqual(found);
    for (const none of ['9000000000', 'x']) expect(await messages(none)).toEqual([]);
  });

  it('shows a page on which each message’s link can be opened, in its language, and a text as text', async () => {
    const mobile = '9844444444';
    const link = `${service.baseUrl}/hosted/start/abc`;
    const code = '<script>alert(1)</script>';
    await send(mobile, { values: { link }, language: 'hi' });
    await send(mobile, { kind: 'ONE_TIME_CODE', values: { code } });
    const html = await textOf(`inbox?mobile=${mobile}`);
    for (const part of [`<a href="${link}">${link}</a>`, '<p lang="hi">', '&lt;script&gt;'])
      expect(html).toContain(part);
    expect(html).not.toContain(code);
    expect(await textOf('inbox?mobile=%22%3E%3Cscript%3E')).not.toContain('"><script>');
    expect(await textOf('inbox', 'hi')).toContain('कोई SMS नहीं भेजता');
  });

  it('has no message for the applicant whose gateway is down, and loses those of an erased one', async () => {
    const mobile = '9866666666';
    const down = await bench.put({ applicant: { mobile, pan: 'SANDX0011A' } });
    expect(await bench.smsOutbox.handOver(down)).toBe(false);
    expect(await bench.record(down)).toMatchObject({ status: 'WAITING', attempts: 1 });
    const id = await send(mobile, { subjectId: 'jrn_erased' });
    expect(await messages(mobile)).toMatchObject([{ id }]);
    const { partnerId } = service;
    expect(await eraseRecords(service, { partnerId, id: 'jrn_erased' })).toBe(1);
    expect(await messages(mobile)).toEqual([]);
  });

  it('keeps the thousand newest', async () => {
    const mobile = '9888888888';
    const oldest = await send(mobile);
    await bench.database.query(
      `INSERT INTO sandbox_sms (id, partner_id, subject_id, kind, language, mobile_hash,
         content_sealed, received_at)
       SELECT 'sms_many' || n, 'demo', 'jrn_many', 'HOSTED_LINK', 'en', 'hash', 'unread',
         app_now() + n * interval '1 microsecond'
       FROM generate_series(1, 1200) AS n`,
    );
    await bench.travel(1);
    const newest = await send(mobile);
    const count = 'SELECT count(*)::int FROM sandbox_sms';
    expect(await bench.database.query(count)).toEqual([{ count: 1_000 }]);
    const ids = (await messages(mobile)).map(({ id }) => id);
    expect([ids[0], ids.includes(oldest)]).toEqual([newest, false]);
    await bench.database.query(`DELETE FROM sandbox_sms WHERE subject_id = 'jrn_many'`);
  });
});
