import { afterAll, beforeAll, expect, it } from 'vitest';
import { browserTests, weighedPages } from '../../support/browser.js';
import { startHosted } from '../../support/hosted-client.js';
import { startService, type OwnService } from '../../support/service.js';
import { PhoneApplicant } from './phone-applicant.js';

/** All that the first page needs, fonts and style included, and what each later one may still fetch. */
const FIRST_BYTES = 100_000;
const LATER_BYTES = 10_000;
const LINK = /^\/hosted\/start\//;

const visit = browserTests();
let service: OwnService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

it.each(['en', 'hi'] as const)(
  'the first page weighs less than 100 KB in %s, each further one less than 10 KB',
  async (language) => {
    const start = await startHosted(service, { productCode: 'ONLINE_GOLD' });
    const phone = await visit(service.baseUrl, { language });
    const weights = await weighedPages(phone.page);
    const applicant = new PhoneApplicant(service, phone);
    await applicant.follow(start);
    await applicant.goOnTo('/hosted/done');
    await phone.page.waitForLoadState('networkidle');
    const ours = [...weights].filter(([path]) => path.startsWith('/hosted/'));
    const [first, ...later] = ours;
    expect(first[0]).toMatch(LINK);
    expect(first[1]).toBeGreaterThan(10_000);
    expect(first[1]).toBeLessThan(FIRST_BYTES);
    const tooHeavy = later.filter(([, bytes]) => bytes >= LATER_BYTES);
    expect(later.length).toBeGreaterThan(10);
    expect(tooHeavy).toEqual([]);
    expect(phone.foreignRequests).toEqual([]);
  },
);
