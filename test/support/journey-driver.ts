import { expect } from 'vitest';
import { eventually } from './eventually.js';
import {
  type ActionKind,
  loanRequest,
  type LoanRequestOptions,
  payloadOf,
} from './loan-requests.js';
import type { Answer, Journey, NextAction, PartnerClient } from './partner-client.js';

export { type ActionKind, payloadOf } from './loan-requests.js';

export interface StartedJourney {
  readonly id: string;
  readonly session: string | undefined;
}

const DRIVE_MS = 45_000;

export async function startJourney(
  partner: PartnerClient,
  options: LoanRequestOptions = {},
): Promise<StartedJourney> {
  const { status, json } = await partner.initiate(loanRequest(options));
  expect([status, json.error]).toEqual([200, undefined]);
  return { id: json.data.journeyId, session: json.data.journeySession };
}

export async function readJourney(
  partner: PartnerClient,
  { id, session }: StartedJourney,
): Promise<Journey> {
  const { status, json } = await partner.journey(id, session);
  expect([status, json.error]).toEqual([200, undefined]);
  return json.data;
}

/** Takes an action with a suitable body; the test checks the response. */
export async function act(
  partner: PartnerClient,
  journey: StartedJourney,
  kind: ActionKind,
): Promise<Answer<{ nextAction: NextAction }>> {
  const payload = payloadOf(kind, await readJourney(partner, journey));
  return partner.action(journey.id, journey.session, kind, payload);
}

/** Drives a headless journey to a state by actions and returns. */
export async function driveTo(
  partner: PartnerClient,
  journey: StartedJourney,
  state: string,
): Promise<StartedJourney> {
  await eventually(
    async () => {
      const seen = await readJourney(partner, journey);
      if (seen.state === state) return;
      await takeNextStep(partner, journey, seen);
      throw new Error(`${journey.id} is in ${seen.state}, not in ${state}`);
    },
    { withinMs: DRIVE_MS },
  );
  return journey;
}

/** Starts a headless journey and drives it to a state. */
export async function journeyIn(
  partner: PartnerClient,
  state: string,
  options: LoanRequestOptions = {},
): Promise<StartedJourney> {
  return driveTo(partner, await startJourney(partner, options), state);
}

async function takeNextStep(
  partner: PartnerClient,
  journey: StartedJourney,
  seen: Journey,
): Promise<void> {
  const { type, category } = seen.currentNextAction;
  if (category === 'ACTION') {
    const kind = type as ActionKind;
    const { status, json } = await partner.action(
      journey.id,
      journey.session,
      kind,
      payloadOf(kind, seen),
    );
    expect([kind, status, json.error]).toEqual([kind, 200, undefined]);
  } else if (category === 'REDIRECT') {
    const step = type.replace('REDIRECT_TO_', '');
    const { status } = await partner.returned(journey.id, journey.session, step);
    expect([step, status]).toEqual([step, 200]);
  }
}
