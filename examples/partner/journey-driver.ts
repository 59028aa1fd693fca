import { setTimeout as sleep } from 'node:timers/promises';
import type { Body, Data, Journey, NextAction } from '../../clients/node/src/index.ts';
import { personalDataOf } from './applicants.ts';
import type { Stage, StartedJourney } from './stage.ts';

/** Does one step and returns the service's next action. */
export type StepHandler = (journey: Journey, action: NextAction) => Promise<NextAction>;

export interface DrivenJourney {
  final: Journey;
  /** The types of the steps in order, without polling. */
  steps: string[];
}

const DRIVE_BOUND_MS = 60_000;
const MAX_VISITS_PER_STEP = 3;

export async function startJourney(
  stage: Stage,
  label: string,
  body: Body<'initiateJourney'>,
  expectedEvents: readonly string[],
): Promise<{ started: StartedJourney; answer: Data<'initiateJourney'> }> {
  for (const value of personalDataOf(body)) stage.personalData.add(value);
  const answer = await stage.client.initiateJourney(body);
  const { journeyId, applicationId, journeySession: session } = answer;
  const started = { label, journeyId, applicationId, session, expectedEvents };
  stage.journeys.push(started);
  stage.timeline.tell('partner', `started the ${label}: ${journeyId}, ${applicationId}`);
  return { started, answer };
}

export function readJourney(stage: Stage, journey: StartedJourney): Promise<Journey> {
  return stage.client.readJourney(journey.journeyId, sessionOf(journey));
}

export async function act(
  stage: Stage,
  journey: StartedJourney,
  action: Body<'submitJourneyAction'>,
): Promise<NextAction> {
  stage.timeline.tell('partner', `${action.kind} for the ${journey.label}`);
  const { client } = stage;
  const data = await client.submitAction(journey.journeyId, action, sessionOf(journey));
  return data.nextAction;
}

/** Only headless journeys have a session. */
export function sessionOf({ session }: StartedJourney): { session?: string } {
  return session === undefined ? {} : { session };
}

/**
 * Follows the service's next action until the end. Without a built-in list of steps, a product can change its steps
 * without a release of this app.
 * @throws Error when the journey asks for a step without a handler, repeats a step, or takes too long
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
        `${action.type}: reads again in ${journey.pollIntervalSeconds} s`,
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
    throw new Error(`The journey repeats ${type}.`);
  }
  return handler;
}
