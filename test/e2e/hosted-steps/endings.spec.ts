import { beforeAll, describe, expect, it, vi } from 'vitest';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { Database } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { HostedClient, plain } from '../../support/hosted-client.js';
import { type NextAction, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import {
  MANDATE_STAYS,
  sessionToken,
  StepJourney,
  TEST_MS,
  WAIT,
  wordsOf,
} from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const DAY_MS = 86_400_000;
const RETURN_URL = 'https://partner.example/loans?from=rinpath';
const CALENDAR = '/hosted/done/instalments.ics';
const CANNOT_PAY = '/hosted/done/cannot-pay';
const RBI = 'href="https://cms.rbi.org.in" rel="noopener noreferrer"';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
  await service
    .get<Database>(Database)
    .query('UPDATE partners SET return_url = $2 WHERE id = $1', [service.partnerId, RETURN_URL]);
});

/** The date in India, as the pages write it. */
function shownDay(instant: Date): string {
  return new Intl.DateTimeFormat('en-IN', {
    timeZone: 'Asia/Kolkata',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(instant);
}

function expectAll(words: string, facts: readonly string[]): void {
  for (const fact of facts) expect(words).toContain(fact);
}

function values(file: string, name: string): string[] {
  const prefix = `${name}:`;
  const lines = file.replaceAll('\r\n ', '').split('\r\n');
  return lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
}

describe('a loan that was paid out', () => {
  let paidOut: StepJourney;
  let client: HostedClient;

  beforeAll(async () => {
    paidOut = await StepJourney.at('SANCTIONED', service);
    ({ client } = paidOut);
  });

  const changeTerms = (terms: string) =>
    paidOut.query(`UPDATE journey_offers SET terms = terms ${terms} WHERE journey_id = $1`);

  it('tells what was agreed, when it was paid, and all that follows; leads back to the partner, with the journey and its outcome', async () => {
    const page = await client.open('/hosted');
    const { disbursedAt, selected } = await paidOut.view();
    expect([page.path, page.heading]).toEqual(['/hosted/done', '₹1,95,080 paid out']);
    const words = wordsOf(page);
    expectAll(words, [
      `Navdhara Capital Limited paid it into your account ••••9012 on ${shownDay(disbursedAt!)}`,
      'Tell Navdhara by then: 1800 000 1400 loans@navdhara.example',
    ]);
    expectAll(words, ['₹2,00,000', '₹6,594', '₹2,37,393', '11.49%', '13.23%', 'All 36 EMIs', '₹0']);
    expect(page.text).toContain(`href="${selected!.kfsUrl}.pdf"`);
    const [main] = page.text.split('</main>');
    expect(main.match(/Sharmila Deshpande/g)).toHaveLength(1);
    expect(page.text.match(/Anjali Krishnamurthy/g)).toHaveLength(1);
    expect(words).not.toContain('your gold');
    const schedule = page.text.slice(page.text.indexOf('<table>'));
    expect(schedule.slice(0, schedule.indexOf('</table>')).split('<tr>')).toHaveLength(38);
    const url = new URL(plain(/class="btn" href="([^"]+)"/.exec(page.text)![1]));
    expect(url.origin + url.pathname).toBe('https://partner.example/loans');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      from: 'rinpath',
      journeyId: paidOut.start.id,
      outcome: 'SANCTIONED',
    });
  });

  it('has a calendar with one event for each instalment of its schedule, and nothing of the borrower', async () => {
    const done = await client.open('/hosted');
    expect(done.text).toContain(`href="${CALENDAR}"`);
    const { status, headers, text } = await client.get(CALENDAR);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="instalments.ics"');
    expect(headers.get('cache-control')).toBe('no-store');
    const shown = values(text, 'DTSTART;VALUE=DATE').map((day) =>
      new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeZone: 'UTC' }).format(
        new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`),
      ),
    );
    const rows = [...done.text.matchAll(/<tr><th scope="row">([^<]+)<.*?(₹[\d,]+).*?<\/tr>/gs)];
    expect(shown).toEqual(rows.map(([, day]) => day.replaceAll('\u00A0', ' ')));
    // 36 instalments of ₹6,594 would come to ₹9 less than the total of ₹2,37,393.
    const amounts = [...Array.from({ length: 35 }, () => '₹6,594'), '₹6,603'];
    expect(rows.map(([, , amount]) => amount)).toEqual(amounts);
    expect(values(text, 'SUMMARY')).toEqual(
      amounts.map((amount) => `Navdhara Capital Limited collects ${amount.replace(',', '\\,')}`),
    );
    expect(values(text, 'DESCRIPTION')[0]).toBe('EMI 1 of 36. Keep the amount in your account.');
    const { mobile, id } = paidOut.start;
    for (const said of ['Asha', 'Verma', '••', '123456789012', 'ABCDE1234F', mobile, id])
      expect(text.replaceAll('\r\n ', '')).not.toContain(said);

    await service.travel(60_000);
    const later = (await client.get(CALENDAR)).text;
    expect(values(later, 'DTSTAMP')[0] > values(text, 'DTSTAMP')[0]).toBe(true);
    const withoutStamp = (file: string) => file.replaceAll(/DTSTAMP:\w+/g, '');
    expect(withoutStamp(later)).toBe(withoutStamp(text));
    const hindi = new HostedClient(service.baseUrl, { language: 'hi' });
    for (const [name, value] of client.cookies) hindi.cookies.set(name, value);
    expect(values((await hindi.get(CALENDAR)).text, 'SUMMARY')[0]).toBe(
      String.raw`Navdhara Capital Limited ₹6\,594 अपने आप ले लेगा`,
    );
    expect(wordsOf(await hindi.get(CANNOT_PAY))).toContain('किस्त देर से चुकाना');
    expectAll(wordsOf(await hindi.open('/hosted')), ['RBI लोकपाल', '14448']);
  });

  it('that cannot be paid one month: whom to call, what it costs by the statement; the way on to the RBI is said, too', async () => {
    const done = await client.open('/hosted');
    expect(done.text).toContain(`href="${CANNOT_PAY}"`);
    const page = await client.get(CANNOT_PAY);
    expect([page.status, page.heading]).toEqual([200, 'Can’t pay one month?']);
    expect(page.text).toContain('href="tel:18000001400"');
    expect(page.text).toContain('href="mailto:loans@navdhara.example"');
    const { statement, kfsUrl } = (await paidOut.view()).selected!;
    const { contingentCharges } = statement.part1;
    const [late, returned, early] = contingentCharges;
    const words = wordsOf(page);
    expectAll(words, [
      // 2 percent of ₹6,594, and 18 percent GST on it: ₹155.62.
      'An unpaid EMI of ₹6,594 also costs, GST included:',
      `${late.name} ₹156 a month`,
      `${returned.name} ₹472 each time`,
      'Rinpath contacts you for the lender',
      'Rinpath works for the lender here and lends nothing',
      'Sharmila Deshpande',
      'Only Navdhara can give you more time.',
    ]);
    expect(words).not.toContain(early.name);
    expect(page.text).toContain(`href="${kfsUrl}"`);
    for (const each of [done, page]) {
      expect(wordsOf(each)).toContain(
        'Complain to the RBI Ombudsman at cms.rbi.org.in , or ask on 14448',
      );
      expect(each.text).toContain(RBI);
    }

    // As an offer that was stored before its lender stated these.
    await changeTerms(`- 'unpaidCharges' - 'contact'`);
    const unstated = wordsOf(await client.get(CANNOT_PAY));
    expect(contingentCharges).toHaveLength(3);
    for (const { name, description } of contingentCharges)
      expect(unstated).toContain(`${name} ${description}`);
    expect(unstated).toContain('Navdhara Capital Limited Sharmila Deshpande 1800 000 1401');
    expect(wordsOf(await client.open('/hosted'))).toContain('Tell Navdhara by then: 1800 000 1401');
    for (const [terms, said, href] of [
      [
        '{"lenderKind":"HOUSING_FINANCE_COMPANY"}',
        'Complain to the National Housing Bank',
        'https://grids.nhbonline.org.in',
      ],
      [
        '{"ombudsman":"NONE"}',
        'Complain to the RBI’s complaints office (CEPC)',
        'https://cms.rbi.org.in',
      ],
    ]) {
      await changeTerms(`|| '${terms}'`);
      for (const path of ['/hosted', CANNOT_PAY]) {
        const other = await client.open(path);
        expect(wordsOf(other)).toContain(said);
        expect(wordsOf(other)).not.toContain('Ombudsman');
        expect(other.text).toContain(`href="${href}"`);
      }
    }
  });

  it('has the exact amount to leave the loan with on each day, and until when', async () => {
    const { disbursedAt } = await paidOut.view();
    const last = shownDay(new Date(disbursedAt!.getTime() + 3 * DAY_MS));
    const lastDay = last.replace(/ \d{4}$/, '');
    const daysLater = async (days: number) => {
      await service.travel(days * DAY_MS);
      const later = new HostedClient(service.baseUrl);
      later.cookies.set('session', await sessionToken(service, paidOut.key));
      return wordsOf(await later.open('/hosted'));
    };
    // ₹1,95,080 at 13.23 percent of 365 days: ₹70.71 a day.
    expectAll(await daysLater(0), [
      `No penalty until ${lastDay}`,
      'Today you return ₹1,95,080',
      `${lastDay} ₹1,95,292`,
    ]);
    expect(await daysLater(2)).toContain('Today you return ₹1,95,221');
    const over = await daysLater(2);
    expect(over).toContain(`Leaving without a penalty ended on ${last}`);
    expect(over).not.toContain('Today you return');
  });
});

describe('a loan that could not be had', () => {
  it('names the lenders that were asked, and what can be done; each reason is displayed in plain words', async () => {
    const journey = await StepJourney.at('REJECTED', service, { pan: 'SANDX0001A' });
    const page = await journey.client.open('/hosted');
    expect(page.path).toBe('/hosted/rejected');
    expectAll(wordsOf(page), [
      '3 lenders Kaverisetu Finserv Private Limited Navdhara',
      'You owe nothing.',
      'Get your credit report',
    ]);
    expect(page.text).toContain('outcome&#x3D;REJECTED');
    for (const [reason, heading] of [
      ['NO_OFFERS', 'No offer this time'],
      ['LENDERS_UNAVAILABLE', 'No lender answered in time'],
      ['KYC_FAILED', 'Your identity could not be confirmed'],
      ['BANK_ACCOUNT_FAILED', 'The account could not be used'],
      ['MANDATE_FAILED', 'Autopay could not be set up'],
      ['ESIGN_DECLINED', 'The agreement was not signed'],
      ['DISBURSEMENT_FAILED', 'The money could not be paid out'],
    ]) {
      await journey.query(`UPDATE journeys SET outcome_reason = $2 WHERE id = $1`, [
        journey.start.id,
        reason,
      ]);
      const ending = await journey.client.open('/hosted');
      expect([ending.path, ending.heading]).toEqual(['/hosted/rejected', heading]);
      expect(wordsOf(ending)).toContain('What you can do');
    }
  });

  it('because the signature was refused for good ends there, kindly', async () => {
    const { client } = await StepJourney.at('REJECTED', service, { pan: 'SANDX0007A' });
    const page = await client.open('/hosted');
    expect(page.heading).toBe('The agreement was not signed');
    expectAll(wordsOf(page), ['with us it does not count against you', MANDATE_STAYS]);
    expect(page.text.match(/Sharmila Deshpande/g)).toHaveLength(1);
    expect(page.text).toContain(RBI);
  });

  it('because the lender refused the payout says so, and that the mandate stays', async () => {
    const lender = service.get(SandboxLender);
    const ask = lender.ask.bind(lender);
    const refused = { kind: 'REFUSED', reason: 'ACCOUNT_CLOSED' } as const;
    const asked = vi.spyOn(lender, 'ask').mockImplementation(async (question) => {
      if (question.kind !== 'DISBURSEMENT') return ask(question);
      return { status: 'ANSWERED', answerId: question.id, answer: refused };
    });
    try {
      const { client } = await StepJourney.at('REJECTED', service);
      const page = await client.open('/hosted');
      expect(page.heading).toBe('The money could not be paid out');
      expect(wordsOf(page)).toContain(MANDATE_STAYS);
    } finally {
      asked.mockRestore();
    }
  });
});

it('a journey that was let lie says so, and that a mandate stays; it has no page of a loan that was paid out', async () => {
  const journey = await StepJourney.at('ESIGN_PENDING', service);
  const { client } = journey;
  await journey.query(
    `UPDATE journeys SET last_activity_at = app_now() - interval '8 days' WHERE id = $1`,
  );
  await service.get<AbandonmentTasks>(AbandonmentTasks).run();
  await journey.reaches('ABANDONED');
  const page = await client.open('/hosted');
  expect([page.path, page.heading]).toEqual(['/hosted/abandoned', 'This application was closed']);
  expectAll(wordsOf(page), ['You owe nothing.', MANDATE_STAYS]);
  for (const to of ['/hosted/abandoned', '/hosted/link']) {
    for (const path of [CALENDAR, CANNOT_PAY]) {
      const { status, location } = await client.get(path);
      expect([path, status, location]).toEqual([path, 303, to]);
    }
    client.cookies.set('session', 'another-session');
  }
});

describe('what the partner sees meanwhile', () => {
  it('WAITING_FOR_REDIRECT in every state, then the outcome; and each event as it comes', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const partner = partnerClient(service);
      await partner.post('/webhooks', { url: receiver.url(), events: [] });
      const journey = await StepJourney.begin(service);
      for (const state of [
        'OFFERS_RECEIVED',
        'KYC_PENDING',
        'BANK_ACCOUNT_PENDING',
        'MANDATE_PENDING',
        'ESIGN_PENDING',
      ]) {
        await journey.driveTo(state);
        const { json } = await partner.journey(journey.start.id);
        expect(json.data).toMatchObject({
          state,
          currentNextAction: { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' },
          outcome: 'IN_PROGRESS',
        });
      }
      await journey.driveTo('SANCTIONED');
      const { json } = await partner.journey(journey.start.id);
      expect(json.data).toMatchObject({
        currentNextAction: { type: 'JOURNEY_COMPLETED', category: 'DONE' },
        outcome: 'SANCTIONED',
      });
      await eventually(() => {
        const events = receiver.deliveries
          .map((delivery) => delivery.json())
          .filter(({ journeyId }) => journeyId === journey.start.id)
          .toSorted((one, other) => one.sequence - other.sequence);
        expect(events.map(({ event }) => event)).toEqual([
          'journey.initiated',
          'journey.offers_received',
          'journey.offer_selected',
          'journey.kyc_done',
          'journey.enach_done',
          'journey.esign_done',
          'journey.completed',
        ]);
        for (const { data } of events) {
          expect(['WAITING_FOR_REDIRECT', 'JOURNEY_COMPLETED']).toContain(
            (data.nextAction as NextAction).type,
          );
        }
      }, WAIT);
    } finally {
      await receiver.stop();
    }
  });
});
