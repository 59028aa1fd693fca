import { describe, expect, it, vi } from 'vitest';
import type {
  LenderQuestion,
  LenderReply,
  SessionRequest,
  SessionVerdict,
} from '../../../src/lenders/index.js';
import { eventually } from '../../support/eventually.js';
import { MINUTE, type TestJourney, journeyBench } from './journey-bench.js';

const PAGE = 'https://lender.example/visit';
const STEPS = ['KYC', 'MANDATE', 'ESIGN'] as const;
const PASSED = { kind: 'PASSED' } as const;

const bench = journeyBench({ isOneLender: true });

/** A lender with its own page; the test decides its verdicts on the steps. */
function lenderWithOnePage(
  session: (request: SessionRequest) => SessionVerdict,
  step: (question: LenderQuestion) => LenderReply,
) {
  const asked = bench.lendersAnswer((question) =>
    STEPS.some((one) => one === question.kind) ? Promise.resolve(step(question)) : null,
  );
  const opened: SessionRequest[] = [];
  vi.spyOn(bench.lender, 'openSession').mockImplementation((request) => {
    opened.push(request);
    return Promise.resolve(session(request));
  });
  return { asked, opened };
}

async function visited(): Promise<TestJourney> {
  const journey = await bench.startWithOffers();
  await journey.select();
  const { status, location } = await bench.visit(await journey.redirectUrl());
  expect([status, location]).toEqual([303, PAGE]);
  return journey;
}

it('a visit that covers several steps passes them all: each is asked about and has its event, and only a step that failed needs another visit', async () => {
  const { asked, opened } = lenderWithOnePage(
    ({ step }) => ({ kind: 'OPENED', url: PAGE, covers: step === 'KYC' ? STEPS : [step] }),
    ({ kind, reference, payload }) => {
      const isFailed = kind === 'MANDATE' && payload.stepAttempt === 1;
      const answer = isFailed ? ({ kind: 'FAILED', reason: 'OTHER' } as const) : PASSED;
      return { status: 'ANSWERED', answerId: `${reference}:${answer.kind}`, answer };
    },
  );
  const journey = await visited();
  expect((await journey.returned('KYC')).status).toBe(200);
  await journey.reaches('BANK_ACCOUNT_PENDING');
  expect((await journey.submitAccount()).status).toBe(200);
  await eventually(async () => {
    const { type } = (await journey.read()).currentNextAction;
    expect(type).toBe('REDIRECT_TO_MANDATE');
  });
  await bench.visit(await journey.redirectUrl());
  await journey.returned('MANDATE');
  await journey.reaches('SANCTIONED');
  expect(opened.map(({ step, payload }) => [step, payload.stepAttempt])).toEqual([
    ['KYC', 1],
    ['MANDATE', 2],
  ]);
  // Journeys of other tests may be asked about, too.
  const references = asked.flatMap(({ subjectId, kind, reference }) =>
    subjectId === journey.id && STEPS.some((one) => one === kind) ? `${kind} ${reference}` : [],
  );
  expect(new Set(references).size).toBe(4);
  expect((await journey.eventNames()).slice(3)).toEqual([
    'journey.kyc_done',
    'journey.enach_done',
    'journey.esign_done',
    'journey.completed',
  ]);
});

describe('a session', () => {
  it('is the same question until it has expired, and then another one', async () => {
    const { opened } = lenderWithOnePage(
      ({ step }) => ({
        kind: 'OPENED',
        url: PAGE,
        covers: [step],
        expiresAt: new Date(bench.service.now().getTime() + 10 * MINUTE).toISOString(),
      }),
      () => ({ status: 'PENDING', isSessionOpen: true }),
    );
    const journey = await visited();
    const url = await journey.redirectUrl();
    // The lender is not asked again within ten seconds.
    await bench.service.travel(10_001);
    await bench.browse(url);
    await bench.service.travel(11 * MINUTE);
    await bench.browse(url);
    await bench.service.travel(10_001);
    await bench.browse(url);
    const keys = opened.map(({ idempotencyKey }) => idempotencyKey.split(':').at(-1));
    expect(keys).toEqual(['1', '1', '2', '2']);
    expect(new Set(opened.map(({ reference }) => reference)).size).toBe(1);
  });

  it('that the lender refuses ends the journey as a refused step does', async () => {
    lenderWithOnePage(
      () => ({ kind: 'REFUSED', answerId: 'no-1', reason: 'POLICY' }),
      () => ({ status: 'PENDING' }),
    );
    const journey = await bench.startWithOffers();
    await journey.select();
    const { status, location } = await bench.visit(await journey.redirectUrl());
    expect([status, new URL(location).searchParams.get('journeyId')]).toEqual([303, journey.id]);
    expect(await journey.read()).toMatchObject({ state: 'REJECTED', outcomeReason: 'KYC_FAILED' });
  });
});
