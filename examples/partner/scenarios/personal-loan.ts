import { BANK_ACCOUNT, createApplicantA } from '../applicants.ts';
import type { Journey, NextAction, Offer } from '../../../clients/node/src/index.ts';
import type { Answer } from '../raw-calls.ts';
import { act, driveJourney, startJourney } from '../journey-driver.ts';
import { compareOffers } from '../offer-checks.ts';
import { reportReturn, visitProvider } from '../redirect-step.ts';
import type { Stage, StartedJourney } from '../stage.ts';

const LOAN_AMOUNT = 200_000;
const FULL_NAME = 'Ananya Raghunathan';
const STEPS = [
  'SELECT_OFFER',
  'REDIRECT_TO_KYC',
  'SUBMIT_BANK_ACCOUNT',
  'REDIRECT_TO_MANDATE',
  'REDIRECT_TO_ESIGN',
  'JOURNEY_COMPLETED',
];
const EVENTS = [
  'initiated',
  'offers_received',
  'offer_selected',
  'kyc_done',
  'enach_done',
  'esign_done',
  'completed',
];

/** A headless personal loan from the first call to the payout. */
export async function runPersonalLoan(stage: Stage): Promise<StartedJourney> {
  const applicant = createApplicantA(FULL_NAME);
  const terms = {
    channel: 'API_HEADLESS',
    productCode: 'ONLINE_PERSONAL',
    loanAmount: LOAN_AMOUNT,
  } as const;
  const body = { ...terms, ...applicant };
  const { started, answer } = await startJourney(stage, 'personal loan', body, EVENTS);
  const expected = { type: 'POLL_LENDER_OFFERS', category: 'POLL' };
  const { type, category } = answer.nextAction;
  stage.checks.same({ type, category }, expected, 'the next action is to poll for offers');
  stage.checks.that(Boolean(started.session), 'the response has a journey session');
  let isSandboxLender = false;
  const { final, steps } = await driveJourney(stage, started, {
    SELECT_OFFER: (journey) => chooseOffer(stage, started, journey),
    REDIRECT_TO_KYC: async (_journey, action) => {
      const page = await visitProvider(stage, action, 'approve');
      isSandboxLender = page.url.host === new URL(stage.baseUrl).host;
      return reportReturn(stage, started, 'KYC');
    },
    SUBMIT_BANK_ACCOUNT: () =>
      act(stage, started, {
        kind: 'SUBMIT_BANK_ACCOUNT',
        payload: { accHolderName: FULL_NAME, ...BANK_ACCOUNT },
      }),
    REDIRECT_TO_MANDATE: (_journey, action) =>
      returnWithoutVisit(stage, started, action, isSandboxLender),
    REDIRECT_TO_ESIGN: async (_journey, action) => {
      await visitProvider(stage, action, 'approve');
      return reportReturn(stage, started, 'ESIGN');
    },
  });
  stage.checks.same(steps, STEPS, 'the steps came in the order of a personal loan');
  stage.checks.same(final.state, 'SANCTIONED', 'the journey is SANCTIONED');
  stage.checks.same(final.outcome, 'SANCTIONED', 'its outcome is SANCTIONED');
  await checkLead(stage, started);
  return started;
}

async function chooseOffer(
  stage: Stage,
  started: StartedJourney,
  journey: Journey,
): Promise<NextAction> {
  const agreed = journey.offers.every((offer) => offer.principalAmount === LOAN_AMOUNT);
  stage.checks.that(agreed, 'every offer has the requested amount');
  const offer = await compareOffers(stage, journey);
  await actTooEarly(stage, started);
  stage.timeline.tell('partner', `selects ${offer.sellerName} twice, simultaneously`);
  const [first, second] = await Promise.all([
    selectOffer(stage, started, offer),
    selectOffer(stage, started, offer),
  ]);
  const statuses = [first.status, second.status].toSorted((a, b) => a - b);
  stage.checks.same(statuses, [200, 409], 'exactly one of the two succeeds, the other gets 409');
  const faults = [...first.faults, ...second.faults];
  stage.checks.same(faults, [], 'both answers are in the envelope');
  const taken = [first, second].find((answer) => answer.status === 200)?.data;
  if (!taken) throw new Error('No offer was selected.');
  const { nextAction } = taken;
  stage.checks.same(nextAction.type, 'REDIRECT_TO_KYC', 'the next action is REDIRECT_TO_KYC');
  stage.checks.that(nextAction.category === 'REDIRECT' && Boolean(nextAction.url), 'with a url');
  return nextAction;
}

function selectOffer(
  stage: Stage,
  started: StartedJourney,
  offer: Offer,
): Promise<Answer<{ nextAction: NextAction }>> {
  const payload = { offerId: offer.offerId, loanAmount: offer.principalAmount };
  const body = { kind: 'SELECT_OFFER', payload };
  const { session } = started;
  return stage.raw.send('POST', `/journey/${started.journeyId}/action`, { session, body });
}

async function actTooEarly(stage: Stage, started: StartedJourney): Promise<void> {
  stage.timeline.tell('partner', 'submits the bank account too early');
  const payload = { accHolderName: FULL_NAME, ...BANK_ACCOUNT };
  await stage.raw.refused('POST', `/journey/${started.journeyId}/action`, 409, {
    session: started.session,
    body: { kind: 'SUBMIT_BANK_ACCOUNT', payload },
  });
}

/**
 * A return proves nothing: the lender is asked. The sandbox's own lenders accept a return without a visit, since test
 * suites have no browser. Any other lender waits for the applicant, who then visits the page.
 */
async function returnWithoutVisit(
  stage: Stage,
  started: StartedJourney,
  action: NextAction,
  isSandboxLender: boolean,
): Promise<NextAction> {
  const next = await reportReturn(stage, started, 'MANDATE');
  const isPassed = next.type !== action.type;
  const what = isSandboxLender ? 'is done in the sandbox' : 'leaves the lender waiting';
  stage.checks.same(isPassed, isSandboxLender, `a return without a visit ${what}`);
  if (isPassed) return next;
  await visitProvider(stage, next, 'approve');
  return reportReturn(stage, started, 'MANDATE');
}

async function checkLead(stage: Stage, started: StartedJourney): Promise<void> {
  const { applicationId } = started;
  const view = await stage.client.readLeadStatus(applicationId);
  stage.checks.same(view.status, 'SANCTIONED', 'the application is SANCTIONED');
  const query = { page: 1, limit: 100, status: 'SANCTIONED', loanType: 'ONLINE_PERSONAL' };
  const list = await stage.client.listLeads(query);
  const lead = list.leads.find((item) => item.applicationId === applicationId);
  stage.checks.same(
    lead?.loanAmount,
    LOAN_AMOUNT,
    'the application is in the list, with its amount',
  );
  stage.checks.that(list.total >= list.leads.length, 'the list has the total number');
}
