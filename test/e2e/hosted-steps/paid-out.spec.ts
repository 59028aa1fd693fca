import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { openConfirmation } from './leaving-bench.js';
import { journeysToLookAt, StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const CALENDAR = '/hosted/done/instalments.ics';
const CANNOT_PAY = '/hosted/done/cannot-pay';

let service: TestService;
let paidOut: StepJourney;

const lookAt = journeysToLookAt(() => service);

beforeAll(async () => {
  service = await sharedService();
  paidOut = await StepJourney.at('SANCTIONED', service);
});

/** The lines as a calendar reads them: what was folded is whole again. */
function linesOf(file: string): string[] {
  return file.replaceAll('\r\n ', '').split('\r\n');
}

function values(file: string, name: string): string[] {
  const prefix = `${name}:`;
  return linesOf(file)
    .filter((line) => line.startsWith(prefix))
    .map((line) => line.slice(prefix.length));
}

describe('the calendar of the instalments', () => {
  it('is a file that the last page links, with one event for each instalment of its schedule', async () => {
    const done = await paidOut.client.open('/hosted');
    expect(done.text).toContain(`href="${CALENDAR}"`);
    const { status, headers, text } = await paidOut.client.get(CALENDAR);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="instalments.ics"');
    expect(headers.get('cache-control')).toBe('no-store');
    const days = values(text, 'DTSTART;VALUE=DATE');
    expect(days).toHaveLength(36);
    const shown = days.map((day) =>
      new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeZone: 'UTC' }).format(
        new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`),
      ),
    );
    const rows = [...done.text.matchAll(/<tr><th scope="row">([^<]+)</g)].map(([, day]) =>
      day.replaceAll('\u00A0', ' '),
    );
    expect(shown).toEqual(rows);
    expect(values(text, 'SUMMARY')[0]).toBe(String.raw`Navdhara Capital Limited collects ₹6\,594`);
    // 36 instalments of ₹6,594 would come to ₹9 less than the total of ₹2,37,393.
    expect(values(text, 'SUMMARY').at(-1)).toBe(
      String.raw`Navdhara Capital Limited collects ₹6\,603`,
    );
    const amounts = [...done.text.matchAll(/<tr><th scope="row">.*?<\/tr>/gs)].map(
      ([row]) => /₹[\d,]+/.exec(row)?.[0],
    );
    expect(amounts).toEqual([...Array.from({ length: 35 }, () => '₹6,594'), '₹6,603']);
    expect(values(text, 'DESCRIPTION')[0]).toBe('EMI 1 of 36. Keep the amount in your account.');
  });

  it('made again has the same events, stamped with the later time', async () => {
    const first = (await paidOut.client.get(CALENDAR)).text;
    await service.travel(60_000);
    const second = (await paidOut.client.get(CALENDAR)).text;
    expect(new Set(values(first, 'UID')).size).toBe(36);
    expect(values(second, 'UID')).toEqual(values(first, 'UID'));
    expect(values(second, 'DTSTAMP')[0] > values(first, 'DTSTAMP')[0]).toBe(true);
    const withoutStamp = (file: string) => file.replaceAll(/DTSTAMP:\w+/g, '');
    expect(withoutStamp(second)).toBe(withoutStamp(first));
  });

  it('says nothing of the borrower: no name, account, mobile or id', async () => {
    const { text } = await paidOut.client.get(CALENDAR);
    const file = linesOf(text).join('\n');
    const { mobile, id } = paidOut.start;
    for (const said of ['Asha', 'Verma', '••', '123456789012', 'ABCDE1234F', mobile, id]) {
      expect(file).not.toContain(said);
    }
  });

  it('of a loan without automatic payment does not say that it is collected', async () => {
    const gold = await StepJourney.at('SANCTIONED', service, { productCode: 'ONLINE_GOLD' });
    const [description] = values((await gold.client.get(CALENDAR)).text, 'DESCRIPTION');
    expect(description).toMatch(/Pay as Kaverisetu .*told you\./);
  });

  it('is in Hindi where the pages are', async () => {
    const journey = await lookAt('SANCTIONED', {}, { language: 'hi' });
    const { text } = await journey.client.get(CALENDAR);
    expect(values(text, 'SUMMARY')[0]).toBe(
      String.raw`Navdhara Capital Limited ₹6\,594 अपने आप ले लेगा`,
    );
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  });
});

describe('“I cannot pay this month”', () => {
  it('names whom to call at the lender, what it costs by the statement, and who comes', async () => {
    const done = await paidOut.client.open('/hosted');
    expect(done.text).toContain(`href="${CANNOT_PAY}"`);
    const page = await paidOut.client.get(CANNOT_PAY);
    expect([page.status, page.heading]).toEqual([200, 'Can’t pay one month?']);
    expect(page.text).toContain('href="tel:18000001400"');
    expect(page.text).toContain('href="mailto:loans@navdhara.example"');
    const words = wordsOf(page);
    const { statement, kfsUrl } = (await paidOut.view()).selected!;
    const [late, returned, early] = statement.part1.contingentCharges;
    // 2 percent of ₹6,594, and 18 percent GST on it: ₹155.62.
    expect(words).toContain('An unpaid EMI of ₹6,594 also costs, GST included:');
    expect(words).toContain(`${late.name} ₹156 a month`);
    expect(words).toContain(`${returned.name} ₹472 each time`);
    expect(words).not.toContain(early.name);
    expect(page.text).toContain(`href="${kfsUrl}"`);
    expect(words).toContain('Rinpath contacts you for the lender');
    expect(words).toContain('Rinpath works for the lender here and lends nothing');
    expect(words).toContain('Sharmila Deshpande');
    expect(page.text).toContain('Anjali Krishnamurthy');
    expect(words).toContain('Only Navdhara can give you more time.');
  });

  it('lists every charge of the statement where the terms do not say which an unpaid instalment costs', async () => {
    const journey = await StepJourney.at('SANCTIONED', service);
    await service
      .get<Database>(Database)
      .query(`UPDATE journey_offers SET terms = terms - 'unpaidCharges' WHERE journey_id = $1`, [
        journey.start.id,
      ]);
    const words = wordsOf(await journey.client.get(CANNOT_PAY));
    const { statement } = (await journey.view()).selected!;
    expect(statement.part1.contingentCharges).toHaveLength(3);
    for (const { name, description } of statement.part1.contingentCharges) {
      expect(words).toContain(`${name} ${description}`);
    }
  });

  it('is in Hindi where the pages are, the charges included', async () => {
    const { client } = await lookAt('SANCTIONED', {}, { language: 'hi' });
    expect(wordsOf(await client.get(CANNOT_PAY))).toContain('किस्त देर से चुकाना');
  });

  it('is where a borrower who leaves the loan is told to call, too', async () => {
    const words = wordsOf(await paidOut.client.open('/hosted'));
    expect(words).toContain('Tell Navdhara by then: 1800 000 1400 loans@navdhara.example');
  });

  it('names the grievance officer to call where the lender has no other contact', async () => {
    await withoutContact(paidOut);
    const words = wordsOf(await paidOut.client.get(CANNOT_PAY));
    expect(words).toContain('Navdhara Capital Limited Sharmila Deshpande 1800 000 1401');
    const done = wordsOf(await paidOut.client.open('/hosted'));
    expect(done).toContain('Tell Navdhara by then: 1800 000 1401');
  });
});

describe('where the lender’s grievance officer is named', () => {
  const ON = 'Complain to the RBI Ombudsman at cms.rbi.org.in , or ask on 14448';
  const LINK = 'href="https://cms.rbi.org.in" rel="noopener noreferrer"';

  it.each(['/hosted', CANNOT_PAY])('the way on to the RBI is said, too: %s', async (path) => {
    const page = await paidOut.client.open(path);
    expect(wordsOf(page)).toContain(ON);
    expect(page.text).toContain(LINK);
  });

  it('also before the choice is confirmed, in both languages', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service);
    const [offer] = (await journey.view()).offers;
    const page = await openConfirmation(journey.client, offer);
    expect(wordsOf(page)).toContain(ON);
    expect(page.text).toContain(LINK);
    const hindi = await lookAt('SANCTIONED', {}, { language: 'hi' });
    const words = wordsOf(await hindi.client.open('/hosted'));
    expect(words).toContain('RBI लोकपाल');
    expect(words).toContain('14448');
  });

  it.each<[string, object, string, string]>([
    [
      'a housing finance company',
      { lenderKind: 'HOUSING_FINANCE_COMPANY' },
      'Complain to the National Housing Bank',
      'https://grids.nhbonline.org.in',
    ],
    [
      'a lender under no ombudsman',
      { ombudsman: 'NONE' },
      'Complain to the RBI’s complaints office (CEPC)',
      'https://cms.rbi.org.in',
    ],
  ])('another way on is said of %s, on every page', async (_, terms, said, href) => {
    const journey = await StepJourney.at('SANCTIONED', service);
    await service
      .get<Database>(Database)
      .query(`UPDATE journey_offers SET terms = terms || $2 WHERE journey_id = $1`, [
        journey.start.id,
        terms,
      ]);
    for (const path of ['/hosted', CANNOT_PAY]) {
      const page = await journey.client.open(path);
      expect(wordsOf(page)).toContain(said);
      expect(wordsOf(page)).not.toContain('Ombudsman');
      expect(page.text).toContain(`href="${href}"`);
    }
  });

  it('also where a lender that was chosen pays out no loan', async () => {
    const { client } = await StepJourney.at('REJECTED', service, { pan: 'SANDX0005A' });
    expect((await client.open('/hosted')).text).toContain(LINK);
  });
});

it('the calendar and the page need a session, and a loan that was paid out', async () => {
  const { client } = await StepJourney.at('KYC_PENDING', service);
  for (const to of ['/hosted/kyc', '/hosted/link']) {
    for (const path of [CALENDAR, CANNOT_PAY]) {
      const { status, location } = await client.get(path);
      expect([path, status, location]).toEqual([path, 303, to]);
    }
    client.cookies.set('session', 'somebody-else');
  }
});

/** As an offer is kept that was made before its lender had a contact. */
async function withoutContact(journey: StepJourney): Promise<void> {
  await service
    .get<Database>(Database)
    .query(`UPDATE journey_offers SET terms = terms - 'contact' WHERE journey_id = $1`, [
      journey.start.id,
    ]);
}
