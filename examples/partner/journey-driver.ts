import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InitiatedJourney, Journey, NextAction } from './contract.ts';
import { personalDataOf } from './applicants.ts';
import type { ApplicantA, ApplicantB } from './applicants.ts';
import type { Stage, StartedJourney } from './stage.ts';

/** Does what one step asks for and returns the next action that the service then named. */
export type StepHandler = (journey: Journey, action: NextAction) => Promise<NextAction>;

export interface DrivenJourney {
  final: Journey;
  /** The types of the steps taken, in order, without the polling between them. */
  steps: string[];
}

const DRIVE_BOUND_MS = 60_000;
const MAX_VISITS_PER_STEP = 3;

export async function startJourney(
  stage: Stage,
  label: string,
  body: (ApplicantA | ApplicantB) & Record<string, unknown>,
  expectedEvents: readonly string[],
): Promise<{ started: StartedJourney; answer: InitiatedJourney }> {
  for (const value of personalDataOf(body)) stage.personalData.add(value);
  const answer = await stage.api.call<InitiatedJourney>('POST', '/journey/initiate', {
    body,
    idempotencyKey: randomUUID(),
  });
  const { journeyId, applicationId, journeySession: session } = answer;
  const started = { label, journeyId, applicationId, session, expectedEvents };
  stage.journeys.push(started);
  stage.timeline.tell('partner', `started the ${label}: ${journeyId}, ${applicationId}`);
  return { started, answer };
}

export function readJourney(stage: Stage, journey: StartedJourney): Promise<Journey> {
  const { journeyId, session } = journey;
  return stage.api.call<Journey>('GET', `/journey/${journeyId}`, { session });
}

export async function act(
  stage: Stage,
  journey: StartedJourney,
  kind: string,
  payload: unknown,
): Promise<NextAction> {
  stage.timeline.tell('partner', `${kind} for the ${journey.label}`);
  const path = `/journey/${journey.journeyId}/action`;
  const options = { session: journey.session, body: { kind, payload } };
  const data = await stage.api.call<{ nextAction: NextAction }>('POST', path, options);
  return data.nextAction;
}

/**
 * Follows whatever the service says comes next until nothing does. Going by the next action, instead
 * of by a list of our own, is what lets a product gain or lose a step without a release on our side.
 * @throws Error when the journey asks for a step without a handler, repeats a step, or takes too long.
 */
export async function driveJourney(
  stage: Stage,
  started: StartedJourney,
  handlers: Record<string, StepHandler>,
): Promise<DrivenJourney> {
  const end = performance.now() + DRIVE_BOUND_MS;
  const steps: string[] = [];
  let journey = await readJourney(stage, started);
  let action = journey.currentNextAction;
  while (action.category !== 'DONE') {
    if (performance.now() > end) throw new Error(`Still at ${action.type} after a minute.`);
    if (action.category === 'POLL') {
      stage.timeline.tell(
        'service',
        `${action.type}: ask again in ${journey.pollIntervalSeconds} s`,
      );
      await sleep(journey.pollIntervalSeconds * 1000);
      journey = await readJourney(stage, started);
      action = journey.currentNextAction;
      continue;
    }
    steps.push(action.type);
    stage.timeline.tell('service', `next is ${action.type}`);
    action = await handlerOf(handlers, steps)(journey, action);
  }
  stage.timeline.tell('service', `the ${started.label} ends with ${action.type}`);
  return { final: await readJourney(stage, started), steps: [...steps, action.type] };
}

function handlerOf(handlers: Record<string, StepHandler>, steps: string[]): StepHandler {
  const type = steps.at(-1) ?? '';
  const handler = handlers[type];
  if (!handler) throw new Error(`The journey asks for ${type}, which is not expected here.`);
  if (steps.filter((step) => step === type).length > MAX_VISITS_PER_STEP) {
    throw new Error(`The journey comes back to ${type} again and again.`);
  }
  return handler;
}
