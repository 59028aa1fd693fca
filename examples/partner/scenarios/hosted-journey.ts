import { createApplicantA } from '../applicants.ts';
import { readJourney, startJourney } from '../journey-driver.ts';
import type { Stage, StartedJourney } from '../stage.ts';

const WAITING = { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' };

/** A hosted journey: the service's screens do the rest, so only the link is checked. */
export async function startHostedJourney(stage: Stage): Promise<StartedJourney> {
  const terms = {
    channel: 'API_HOSTED',
    productCode: 'ONLINE_PERSONAL',
    loanAmount: 100_000,
  } as const;
  const body = { ...terms, ...createApplicantA('Farhan Siddiqui') };
  const { started, answer } = await startJourney(stage, 'hosted journey', body, ['initiated']);
  const hostedUrl = answer.hostedUrl ?? '';
  const isLink = URL.canParse(hostedUrl) && new URL(hostedUrl).pathname.includes('/hosted/start/');
  stage.checks.that(isLink, 'hostedUrl is a link to the hosted screens');
  stage.checks.that(started.session === undefined, 'a hosted journey gets no journey session');
  const { type, category } = answer.nextAction;
  stage.checks.same({ type, category }, WAITING, 'the next action is WAITING_FOR_REDIRECT, WAIT');
  const journey = await readJourney(stage, started);
  const current = journey.currentNextAction;
  const seen = { type: current.type, category: current.category };
  stage.checks.same(seen, WAITING, 'the journey can be read without a session and says the same');
  stage.checks.same(journey.channel, 'API_HOSTED', 'its channel is API_HOSTED');
  return started;
}
