import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RedirectReturnedService } from '../../../src/journeys/redirects/redirect-returned.service.js';
import { JourneysRepository } from '../../../src/journeys/store/journeys.repository.js';
import { SubmitActionService } from '../../../src/journeys/use-cases/submit-action.service.js';
import { type LenderReply, LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import {
  openConfirmation,
  othersOf,
  providerPage,
  sign,
  withdrawalsOf,
  trailOf,
} from './leaving-bench.js';
import { expectWords, hostedService, StepJourney, WAIT, wordsOf } from './step-journey.js';

const HOUR = 3_600_000;
const STEPS = ['KYC', 'MANDATE', 'ESIGN'] as const;

const service = hostedService();

const WAITS = { status: 'PENDING', askAgainInMs: HOUR, isSessionOpen: true } as const;

function lender(): SandboxLender {
  return service.get<SandboxLender>(SandboxLender);
}

function lenderIsSilentAboutChoices() {
  const silence = new LenderUnavailable('the simulated lender is silent', { askAgainInMs: HOUR });
  return vi.spyOn(lender(), 'select').mockRejectedValue(silence);
}

/** A journey with an open signature session, signed on another phone, before any callback. */
async function atOpenSignature() {
  const journey = await StepJourney.at('ESIGN_PENDING', service);
  await providerPage((await journey.view()).redirect!.url);
  const ask = vi.spyOn(lender(), 'ask').mockResolvedValue(WAITS);
  await journey.client.open('/hosted/returned/ESIGN');
  expect((await journey.view()).offerChange).toBe('OPEN');
  const [other] = othersOf(await journey.view());
  await openConfirmation(journey.client, other);
  const signElsewhere = async () => {
    ask.mockRestore();
    await journey.query(
      `UPDATE sandbox_sessions SET decision = 'approve', decided_at = app_now()
       WHERE subject_id = $1 AND step = 'ESIGN'`,
    );
  };
  return { journey, other, signElsewhere };
}

async function expectSigned(journey: StepJourney): Promise<void> {
  const trail = await trailOf(journey);
  expect(trail).toContain('ESIGN_PASSED');
  expect(trail).not.toContain('OFFER_LET_GO');
}

it('another offer is not chosen by who has signed since the lender was asked last, however long it wants not to be', async () => {
  const { journey, signElsewhere } = await atOpenSignature();
  const { selected } = await journey.view();
  await signElsewhere();
  await journey.client.send303({ hasRead: '1' });
  expect((await journey.view()).selected!.offer.offerId).toBe(selected!.offer.offerId);
  await expectSigned(journey);
});

describe('a visit that covers the signature', () => {
  /** The lender's reply when asked about the signature. */
  let ofSignature: LenderReply;

  beforeEach(() => {
    const real = lender();
    const [ask, open] = [real.ask.bind(real), real.openSession.bind(real)];
    vi.spyOn(real, 'ask').mockImplementation(async (question) => {
      if (question.kind === 'ESIGN') return ofSignature;
      if (!STEPS.some((step) => step === question.kind)) return ask(question);
      return passed(question.reference);
    });
    vi.spyOn(real, 'openSession').mockImplementation(async (request) => {
      const verdict = await open(request);
      return verdict.kind === 'OPENED' ? { ...verdict, covers: STEPS } : verdict;
    });
  });

  function passed(reference: string): LenderReply {
    return { status: 'ANSWERED', answerId: `${reference}:PASSED`, answer: { kind: 'PASSED' } };
  }

  it('warns of it, and binds until the lender waits for the signature, and again once it is given there', async () => {
    ofSignature = { status: 'PENDING', askAgainInMs: 500, isSessionOpen: false };
    const journey = await StepJourney.at('KYC_PENDING', service);
    const { client } = journey;
    const warning = 'You may be asked to sign on this visit';
    expect(wordsOf(await client.open('/hosted'))).not.toContain(warning);
    await providerPage((await journey.view()).redirect!.url);
    expectWords(await client.open('/hosted'), warning);
    for (const state of ['BANK_ACCOUNT_PENDING', 'ESIGN_PENDING']) {
      await journey.driveTo(state);
      const { offerChange, mayStop } = await journey.view();
      expect([offerChange, mayStop]).toEqual(['MAY_BE_SIGNED', false]);
    }
    ofSignature = WAITS;
    await eventually(async () => expect((await journey.view()).offerChange).toBe('OPEN'), WAIT);
    await openConfirmation(client, othersOf(await journey.view())[0]);
    // Signed in the session of the identity check, without the signature's own page.
    const [{ id }] = await journey.query<{ id: string }>(
      'SELECT redirect_id AS id FROM journeys WHERE id = $1',
    );
    ofSignature = passed(id);
    const returns = service.get<object>(RedirectReturnedService) as {
      environment: { mode: string };
    };
    const { environment } = returns;
    try {
      returns.environment = { ...environment, mode: 'production' };
      await client.send303({ hasRead: '1' });
    } finally {
      returns.environment = environment;
    }
    await expectSigned(journey);
  });
});

describe('a choice that was left open', () => {
  it('comes to nothing when the agreement with the earlier lender is signed meanwhile', async () => {
    const { journey, other, signElsewhere } = await atOpenSignature();
    const select = lenderIsSilentAboutChoices();
    expect((await journey.client.submit({ hasRead: '1' })).status).toBe(503);
    select.mockRestore();
    await signElsewhere();
    const { partnerId, journeyId } = journey.key;
    const seen = await service.get(JourneysRepository).find(partnerId, journeyId);
    await service.get(SubmitActionService).resolveOrphan(seen!);
    await expectSigned(journey);
    expect(await withdrawalsOf(journey)).toContainEqual({
      lender: other.lenderCode,
      reason: 'NOT_CHOSEN',
      applicationReference: undefined,
    });
  });

  it('is not withdrawn by a stop that is refused', async () => {
    // The provider takes ten seconds for each decision.
    const journey = await StepJourney.at('ESIGN_PENDING', service, { pan: 'SANDX0012A' });
    const { redirect } = await journey.view();
    lenderIsSilentAboutChoices();
    await openConfirmation(journey.client, othersOf(await journey.view())[0]);
    expect((await journey.client.submit({ hasRead: '1' })).status).toBe(503);
    await journey.client.open('/hosted/stop');
    await sign(redirect!.url);
    expect((await journey.client.send303()).path).toBe('/hosted/esign');
    expect(await withdrawalsOf(journey)).toEqual([]);
    const intents = await journey.query(
      `SELECT kind FROM journey_intents WHERE journey_id = $1 AND status = 'OPEN'`,
    );
    expect(intents).toEqual([{ kind: 'SELECT_OFFER' }]);
  });
});
