import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
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

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function ended(state: string, options = {}) {
  const journey = await StepJourney.at(state, service, options);
  await setReturnUrl(RETURN_URL);
  return { journey, page: await journey.client.open('/hosted') };
}

async function setReturnUrl(url: string | null): Promise<void> {
  await service
    .get<Database>(Database)
    .query('UPDATE partners SET return_url = $2 WHERE id = $1', [service.partnerId, url]);
}

/** The day in India, as the pages write it. */
function shownDay(instant: Date): string {
  return new Intl.DateTimeFormat('en-IN', {
    timeZone: 'Asia/Kolkata',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(instant);
}

describe('the last page', () => {
  it('tells what was agreed, when it was paid, and all that follows', async () => {
    const { journey, page } = await ended('SANCTIONED');
    const { disbursedAt, selected } = await journey.view();
    expect([page.path, page.heading]).toEqual(['/hosted/done', '₹1,95,080 paid out']);
    const words = wordsOf(page);
    expect(words).toContain(
      `Navdhara Capital Limited paid it into your account ••••9012 on ${shownDay(disbursedAt!)}`,
    );
    for (const fact of ['₹2,00,000', '₹6,594', '₹2,37,393', '11.49%', '13.23%', 'All 36 EMIs'])
      expect(words).toContain(fact);
    expect(page.text).toContain(`href="${selected!.kfsUrl}.pdf"`);
    expect(words).toContain('Sharmila Deshpande');
    expect(page.text).toContain('Anjali Krishnamurthy');
    const schedule = page.text.slice(page.text.indexOf('<table>'));
    const rows = schedule.slice(0, schedule.indexOf('</table>')).split('<tr>').length - 2;
    expect(rows).toBe(36);
    expect(words).toContain('₹0');
  });

  it('has the exact amount to leave the loan with on each day, and until when', async () => {
    const { journey, page } = await ended('SANCTIONED');
    const { disbursedAt } = await journey.view();
    const words = wordsOf(page);
    const last = shownDay(new Date(disbursedAt!.getTime() + 3 * DAY_MS));
    const lastDay = last.replace(/ \d{4}$/, '');
    expect(words).toContain(`No penalty until ${lastDay}`);
    expect(words).toContain('Today you return ₹1,95,080');
    // ₹1,95,080 at 13.23 percent of 365 days: ₹70.71 a day.
    expect(words).toContain(`${lastDay} ₹1,95,292`);
    await service.travel(2 * DAY_MS);
    const client = await signedInAnew(journey);
    const later = wordsOf(await client.open('/hosted'));
    expect(later).toContain('Today you return ₹1,95,221');
    await service.travel(2 * DAY_MS);
    const over = wordsOf(await (await signedInAnew(journey)).open('/hosted'));
    expect(over).toContain(`Leaving without a penalty ended on ${last}`);
    expect(over).not.toContain('Today you return');
  });

  it('leads back to the partner, with the journey and its outcome, where it has an address', async () => {
    const { journey, page } = await ended('SANCTIONED');
    const href = plain(/class="btn" href="([^"]+)"/.exec(page.text)![1]);
    const url = new URL(href);
    expect(url.origin + url.pathname).toBe('https://partner.example/loans');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      from: 'rinpath',
      journeyId: journey.start.id,
      outcome: 'SANCTIONED',
    });
    await setReturnUrl(null);
    expect(wordsOf(await journey.client.open('/hosted'))).not.toContain('Back to');
  });

  it('names the branch of a gold loan, and asks no mandate of it', async () => {
    const { journey, page } = await ended('SANCTIONED', { productCode: 'ONLINE_GOLD' });
    const { branch } = (await journey.view()).selected!;
    expect(wordsOf(page)).toContain(`${branch!.name} ${branch!.address}`);
    expect(page.text).toContain('google.com/maps/search/');
  });

  async function signedInAnew(journey: StepJourney): Promise<HostedClient> {
    const client = new HostedClient(service.baseUrl);
    client.cookies.set('session', await sessionToken(service, journey.key));
    return client;
  }
});

describe('a loan that could not be had', () => {
  it('no offers: names the lenders that were asked, and what can be done', async () => {
    const { page } = await ended('REJECTED', { pan: 'SANDX0001A' });
    const words = wordsOf(page);
    expect([page.path, page.heading]).toEqual(['/hosted/rejected', 'No offer this time']);
    expect(words).toContain('3 lenders Kaverisetu Finserv Private Limited Navdhara');
    expect(words).toContain('You owe nothing.');
    expect(words).toContain('Get your credit report');
    expect(page.text).toContain('outcome&#x3D;REJECTED');
  });

  it('each reason is told in plain words', async () => {
    const { journey } = await ended('KYC_PENDING');
    for (const [reason, heading] of [
      ['NO_OFFERS', 'No offer this time'],
      ['LENDERS_UNAVAILABLE', 'No lender answered in time'],
      ['KYC_FAILED', 'Your identity could not be confirmed'],
      ['BANK_ACCOUNT_FAILED', 'The account could not be used'],
      ['MANDATE_FAILED', 'Autopay could not be set up'],
      ['ESIGN_DECLINED', 'The agreement was not signed'],
      ['DISBURSEMENT_FAILED', 'The money could not be paid out'],
    ]) {
      await journey.query(
        `UPDATE journeys SET state = 'REJECTED', outcome_reason = $2, finished_at = app_now()
         WHERE id = $1`,
        [journey.start.id, reason],
      );
      const page = await journey.client.open('/hosted');
      expect([page.path, page.heading]).toEqual(['/hosted/rejected', heading]);
      expect(wordsOf(page)).toContain('What you can do');
    }
  });

  it('a signature refused for good ends there, kindly', async () => {
    const { page } = await ended('REJECTED', { pan: 'SANDX0007A' });
    expect(page.heading).toBe('The agreement was not signed');
    expect(wordsOf(page)).toContain('with us it does not count against you');
    expect(wordsOf(page)).toContain('Sharmila Deshpande');
    expect(wordsOf(page)).toContain(MANDATE_STAYS);
  });

  it('a payout that is refused: there is no loan, and somebody to complain to', async () => {
    const real = service.get(SandboxLender).ask.bind(service.get(SandboxLender));
    vi.spyOn(service.get(SandboxLender), 'ask').mockImplementation(async (question) =>
      question.kind === 'DISBURSEMENT'
        ? {
            status: 'ANSWERED',
            answerId: question.id,
            answer: { kind: 'REFUSED', reason: 'ACCOUNT_CLOSED' },
          }
        : real(question),
    );
    const { page } = await ended('REJECTED');
    expect(page.heading).toBe('The money could not be paid out');
    expect(wordsOf(page)).toContain(MANDATE_STAYS);
  });

  it('on gold that a branch may have valued: what that costs, and that the gold goes home', async () => {
    const { journey } = await ended('KYC_PENDING', { productCode: 'ONLINE_GOLD' });
    await journey.query(
      `UPDATE journeys SET state = 'REJECTED', outcome_reason = 'KYC_FAILED', finished_at = app_now()
       WHERE id = $1`,
    );
    const words = wordsOf(await journey.client.open('/hosted'));
    expect(words).toContain('There is no loan to pay back.');
    expect(words).toContain('Gold at a branch? Take it home');
    expect(words).toContain('₹177 for the valuation');
    expect(words).toContain('Gold not valued? It’s free.');
    expect(words).not.toContain('You owe nothing.');
  });
});

it.each([
  ['KYC_PENDING', false],
  ['ESIGN_PENDING', true],
])(
  'a journey that was let lie in %s says so, and whether a mandate stays',
  async (state, stays) => {
    const { journey } = await ended(state);
    await journey.query(
      `UPDATE journeys SET last_activity_at = app_now() - interval '8 days' WHERE id = $1`,
    );
    await service.get<AbandonmentTasks>(AbandonmentTasks).run();
    await journey.reaches('ABANDONED');
    const page = await journey.client.open('/hosted');
    expect([page.path, page.heading]).toEqual(['/hosted/abandoned', 'This application was closed']);
    expect(wordsOf(page)).toContain('You owe nothing.');
    expect(wordsOf(page).includes(MANDATE_STAYS)).toBe(stays);
  },
);

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

  it('409: the applicant drives this journey, not the partner', async () => {
    const { journey } = await ended('KYC_PENDING');
    const answer = await partnerClient(service).action(
      journey.start.id,
      undefined,
      'SELECT_OFFER',
      { offerId: 'off_x' },
    );
    expect([answer.status, answer.json.code]).toEqual([409, 'hosted_journey']);
  });
});
