import { beforeAll, describe, expect, it } from 'vitest';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { formatDate } from '../../../src/platform/index.js';
import { type HostedClient, type HostedPage, plain } from '../../support/hosted-client.js';
import {
  expectWords,
  hostedService,
  MANDATE_STAYS,
  sessionToken,
  StepJourney,
  wordsOf,
} from './step-journey.js';

const DAY_MS = 86_400_000;
const CALENDAR = '/hosted/done/instalments.ics';
const CANNOT_PAY = '/hosted/done/cannot-pay';
const RBI = 'href="https://cms.rbi.org.in" rel="noopener noreferrer"';

const service = hostedService();

describe('a loan that was paid out', () => {
  let paidOut: StepJourney;
  let client: HostedClient;

  beforeAll(async () => {
    paidOut = await StepJourney.at('SANCTIONED', service);
    ({ client } = paidOut);
  });

  const shownDay = (instant: Date) => plain(formatDate('en', instant));

  it('tells what was agreed, when it was paid, and all that follows; leads back to the partner, with the journey and its outcome', async () => {
    const page = await client.open('/hosted');
    const { disbursedAt, selected } = await paidOut.view();
    expect([page.path, page.heading]).toEqual(['/hosted/done', '₹1,95,080 paid out']);
    expectWords(
      page,
      `Navdhara Capital Limited paid it into your account ••••9012 on ${shownDay(disbursedAt!)}`,
      'Tell Navdhara by then: 1800 000 1400 loans@navdhara.example',
      '₹2,00,000',
      '₹6,594',
      '₹2,37,393',
      '11.49%',
      '13.23%',
      'All 36 EMIs',
      '₹0',
    );
    expect(page.text).toContain(`href="${selected!.kfsUrl}.pdf"`);
    expect(page.text.split('</main>')[0].match(/Sharmila Deshpande/g)).toHaveLength(1);
    expect(page.text.match(/Anjali Krishnamurthy/g)).toHaveLength(1);
    const backOf = ({ text }: HostedPage) => plain(/class="btn" href="([^"]+)"/.exec(text)![1]);
    const ended = `journeyId=${paidOut.start.id}&outcome=SANCTIONED`;
    // The shipped page that simulates the partner's app.
    expect(backOf(page)).toBe(`${service.baseUrl}/sandbox/partner?${ended}`);
    await paidOut.query('UPDATE partners SET return_url = $2 WHERE id = $1', [
      service.partnerId,
      'https://partner.example/loans?from=rinpath',
    ]);
    const configured = `https://partner.example/loans?from=rinpath&${ended}`;
    expect(backOf(await client.open('/hosted'))).toBe(configured);
  });

  it('has a calendar of the instalments that its page lists, and nothing of the borrower', async () => {
    const done = await client.open('/hosted');
    expect(done.text).toContain(`href="${CALENDAR}"`);
    const { status, headers, text } = await client.get(CALENDAR);
    expect([status, Object.fromEntries(headers)]).toMatchObject([
      200,
      {
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'attachment; filename="instalments.ics"',
        'cache-control': 'no-store',
      },
    ]);
    const file = text.replaceAll('\r\n ', '');
    const days = [...file.matchAll(/^DTSTART;VALUE=DATE:(\d{4})(\d\d)(\d\d)/gm)];
    const rows = [...done.text.matchAll(/<tr><th scope="row">([^<]+)</g)];
    expect(days.map(([, ...day]) => plain(formatDate('en', day.join('-'))))).toEqual(
      rows.map(([, day]) => plain(day)),
    );
    expect(rows).toHaveLength(36);
    for (const said of ['Asha', 'Verma', '••', '123456789012', 'ABCDE1234F', paidOut.start.mobile])
      expect(file).not.toContain(said);
  });

  it('that cannot be paid one month: whom to call, what it costs by the statement; the way on to the RBI is said, too', async () => {
    const done = await client.open('/hosted');
    expect(done.text).toContain(`href="${CANNOT_PAY}"`);
    const page = await client.get(CANNOT_PAY);
    expect([page.status, page.heading]).toEqual([200, 'Can’t pay one month?']);
    const { statement, kfsUrl } = (await paidOut.view()).selected!;
    const { contingentCharges } = statement.part1;
    const [late, returned, early] = contingentCharges;
    expectWords(
      page, // 2 percent of ₹6,594, and 18 percent GST on it: ₹155.62.
      'An unpaid EMI of ₹6,594 also costs, GST included:',
      `${late.name} ₹156 a month`,
      `${returned.name} ₹472 each time`,
      'Rinpath contacts you for the lender',
      'Rinpath works for the lender here and lends nothing',
      'Sharmila Deshpande',
      'Only Navdhara can give you more time.',
    );
    expect(wordsOf(page)).not.toContain(early.name);
    for (const href of ['tel:18000001400', 'mailto:loans@navdhara.example', kfsUrl])
      expect(page.text).toContain(`href="${href}"`);
    for (const each of [done, page]) {
      expectWords(each, 'Complain to the RBI Ombudsman at cms.rbi.org.in , or ask on 14448');
      expect(each.text).toContain(RBI);
    }

    // An offer from before its lender stated these.
    await paidOut.query(
      `UPDATE journey_offers SET terms = terms - 'unpaidCharges' - 'contact' WHERE journey_id = $1`,
    );
    expectWords(
      await client.get(CANNOT_PAY),
      ...contingentCharges.map(({ name, description }) => `${name} ${description}`),
      'Navdhara Capital Limited Sharmila Deshpande 1800 000 1401',
    );
    expectWords(await client.open('/hosted'), 'Tell Navdhara by then: 1800 000 1401');
  });

  it('has the exact amount to leave the loan with on each day, and until when', async () => {
    const { disbursedAt } = await paidOut.view();
    const last = shownDay(new Date(disbursedAt!.getTime() + 3 * DAY_MS));
    const lastDay = last.replace(/ \d{4}$/, '');
    const daysLater = async (days: number) => {
      await service.travel(days * DAY_MS);
      client.cookies.set('session', await sessionToken(service, paidOut.key));
      return client.open('/hosted');
    };
    // ₹1,95,080 at 13.23 percent of 365 days: ₹70.71 a day.
    expectWords(
      await daysLater(0),
      `No penalty until ${lastDay}`,
      'Today you return ₹1,95,080',
      `${lastDay} ₹1,95,292`,
    );
    expectWords(await daysLater(2), 'Today you return ₹1,95,221');
    const over = await daysLater(2);
    expectWords(over, `Leaving without a penalty ended on ${last}`);
    expect(wordsOf(over)).not.toContain('Today you return');
  });
});

describe('a loan that could not be had', () => {
  it('names the lenders that were asked, and what can be done', async () => {
    const { client } = await StepJourney.at('REJECTED', service, { pan: 'SANDX0001A' });
    const page = await client.open('/hosted');
    expect([page.path, page.heading]).toEqual(['/hosted/rejected', 'No offer this time']);
    expectWords(
      page,
      '3 lenders Kaverisetu Finserv Private Limited Navdhara',
      'You owe nothing.',
      'Get your credit report',
    );
    expect(page.text).toContain('outcome&#x3D;REJECTED');
  });

  it('because the signature was refused for good ends there, kindly; the mandate stays', async () => {
    const { client } = await StepJourney.at('REJECTED', service, { pan: 'SANDX0007A' });
    const page = await client.open('/hosted');
    expect(page.heading).toBe('The agreement was not signed');
    expectWords(page, 'with us it does not count against you', MANDATE_STAYS);
    expect(page.text.match(/Sharmila Deshpande/g)).toHaveLength(1);
    expect(page.text).toContain(RBI);
  });
});

it('a journey that was let lie says so, and that a mandate stays', async () => {
  const journey = await StepJourney.at('ESIGN_PENDING', service);
  await journey.query(
    `UPDATE journeys SET last_activity_at = app_now() - interval '8 days' WHERE id = $1`,
  );
  await service.get<AbandonmentTasks>(AbandonmentTasks).run();
  await journey.reaches('ABANDONED');
  const page = await journey.client.open('/hosted');
  expect([page.path, page.heading]).toEqual(['/hosted/abandoned', 'This application was closed']);
  expectWords(page, 'You owe nothing.', MANDATE_STAYS);
});
