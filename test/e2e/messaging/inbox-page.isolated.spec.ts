// Isolated: every message of the sandbox is on one page.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeCheck, browserTests, DESKTOP, PHONE, sidewaysOverflow } from '../../support/browser.js';
import { startService, type OwnService } from '../../support/service.js';
import { SmsBench } from './sms-bench.js';

const MOBILE = '9812312312';

const visitTo = browserTests();
let service: OwnService;
let bench: SmsBench;

beforeAll(async () => {
  service = await startService();
  bench = new SmsBench(service);
  for (const language of ['en', 'hi'] as const) {
    const link = `${service.baseUrl}/health?${'long'.repeat(30)}`;
    const applicant = { mobile: MOBILE, pan: 'ABCDE1234F' };
    await bench.smsOutbox.handOver(await bench.put({ language, applicant, values: { link } }));
  }
});
afterAll(() => service?.close());

describe('the inbox in a browser', () => {
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
