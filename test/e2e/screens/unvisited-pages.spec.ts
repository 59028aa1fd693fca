import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ApplicantBrowser } from '../../support/instant-loans.js';
import { servedRoutes } from '../../support/served-routes.js';
import { sharedService } from '../../support/shared-service.js';
import { OfferStage } from '../instant-loans/offer-stage.js';
import { logOf, offerTwo } from '../instant-loans/two-offers.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const IMESSAGE =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0';

type Headers = Record<string, string>;

/** Requests without a human reader; the guard's unit test covers all kinds. */
const LOOKERS: [string, Headers, 'HEAD' | 'AHEAD' | 'PREVIEW'][] = [
  ['a HEAD', { 'user-agent': CHROME }, 'HEAD'],
  ['a prerender', { 'user-agent': CHROME, 'sec-purpose': 'prefetch;prerender' }, 'AHEAD'],
  ['WhatsApp', { 'user-agent': 'WhatsApp/2.23.20.0 A' }, 'PREVIEW'],
  ['iMessage', { 'user-agent': IMESSAGE }, 'PREVIEW'],
];

/**
 * Addresses without a page, or with pages that record nothing. All others must distinguish a visit from a preview.
 */
const NOT_MEANT =
  /\/v1\/|^\/(docs|workbench|health|metrics|assets|brand|\.well-known|lender-protocol|sandbox\/health)(\/|$)|\.(json|ya?ml|ico|txt|md)$/;

let stage: OfferStage;
let journey: StepJourney;
let atStep: StepJourney;
let loan: Awaited<ReturnType<typeof offerTwo>>;

beforeAll(async () => {
  // Before the stage opens: its lenders make no automatic offers.
  journey = await StepJourney.at('OFFERS_RECEIVED', await sharedService());
  atStep = await StepJourney.at('KYC_PENDING', await sharedService());
  stage = await OfferStage.open();
  loan = await offerTwo(stage);
});

afterAll(async () => {
  await stage?.close();
});

function pages(): string[] {
  const found = servedRoutes(stage.bench.service).filter(({ method }) => method === 'GET');
  const paths = new Set(found.map(({ path }) => path));
  return [...paths].filter((path) => !NOT_MEANT.test(path));
}

async function look(path: string, headers: Headers, kind: string) {
  const cookie = [...journey.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(new URL(path, stage.bench.service.baseUrl), {
    method: kind === 'HEAD' ? 'HEAD' : 'GET',
    redirect: 'manual',
    headers: { accept: 'text/html', cookie, ...headers },
  });
  const text = await response.text();
  const [, heading = ''] = /<h1>(.*?)<\/h1>/.exec(text) ?? [];
  return [response.status, kind === 'PREVIEW' ? heading : text];
}

/** What a visit of the step's link would change. */
function tracesOfStep() {
  return atStep.query(
    `SELECT last_activity_at, count(s.reference) AS sessions, count(r.visited_at) AS visits
     FROM journeys AS j JOIN journey_redirects AS r ON r.journey_id = j.id
     LEFT JOIN sandbox_sessions AS s ON s.subject_id = j.id WHERE j.id = $1 GROUP BY j.id`,
  );
}

const ANSWERS = {
  HEAD: [200, ''],
  AHEAD: [503, ''],
  PREVIEW: [200, 'Open this link in your browser'],
};

it.each(LOOKERS)(
  '%s gets none of the pages that the router has, leaves no record that offers were shown, opens no provider’s session and is no activity',
  async (_name, headers, kind) => {
    const found = pages();
    expect(found).toEqual(
      expect.arrayContaining(['/pay/:token', '/kfs/:token', '/r/:token', '/hosted/offers']),
    );
    const answers = await Promise.all(
      found.map(async (path) => [path, await look(path.replaceAll(/:\w+/g, 'x'), headers, kind)]),
    );
    expect(answers).toEqual(found.map((path) => [path, ANSWERS[kind]]));
    const shownTo = () => logOf(stage, journey.key.journeyId);
    const before = await shownTo();
    const { pathname } = new URL(loan.redirectUrl);
    for (const path of [pathname, `${pathname}/offers`, `${pathname}/done`, '/hosted/offers']) {
      expect([path, await look(path, headers, kind)]).toEqual([path, ANSWERS[kind]]);
    }
    expect(await logOf(stage, loan.id)).toEqual([]);
    expect(await shownTo()).toEqual(before);
    const traces = await tracesOfStep();
    const link = new URL((await atStep.view()).redirect!.url).pathname;
    expect(await look(link, headers, kind)).toEqual(ANSWERS[kind]);
    expect(await tracesOfStep()).toEqual(traces);
  },
);

it('an applicant who opens the link sees the offers, and it is recorded', async () => {
  const { status, text } = await new ApplicantBrowser().open(loan.redirectUrl);
  expect([status, text.includes('Open this link in your browser')]).toEqual([200, false]);
  expect((await logOf(stage, loan.id)).map(({ kind }) => kind)).toEqual(['SHOWN']);
});
