import { startHostedJourney } from './hosted-journey.ts';
import { findSubscription } from './products-and-registration.ts';
import type { RegisteredWebhook, Stage } from '../stage.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const EVENTS_BOUND_MS = 10_000;
const QUIET_MS = 2_000;

/** Posts a real delivery with one byte changed to our own receiver, which must refuse it. */
export async function forgeDelivery(stage: Stage): Promise<void> {
  const genuine = stage.receiver.deliveries[0];
  if (!genuine) throw new Error('There is no delivery yet to forge.');
  const { url } = registered(stage);
  const signed = Object.entries(genuine.headers).filter(([name]) => /^(x|webhook)-/.test(name));
  const headers = signed.map(([name, value]): [string, string] => [name, String(value)]);
  const altered = Buffer.from(genuine.rawBody);
  altered[altered.length - 1] = 0x20;
  stage.forgedDeliveries += 1;
  stage.timeline.tell('partner', 'posts a delivery with one byte changed to its own receiver');
  const response = await fetch(url, { method: 'POST', headers, body: altered });
  stage.checks.same(response.status, 400, 'our receiver refuses the forged delivery with 400');
}

/** Waits for all events first, so that none is in flight when the secret changes. */
export async function rotateSecret(stage: Stage): Promise<void> {
  const { client, receiver, checks, journeys } = stage;
  for (const { journeyId, expectedEvents } of journeys) {
    await receiver.waitForEvents(journeyId, expectedEvents.length, EVENTS_BOUND_MS);
  }
  const { subscriptionId, firstSecret } = registered(stage);
  stage.timeline.tell('partner', 'rotates the secret of its webhook');
  const renewed = await receiver.changeSecret(async () => {
    const data = await client.rotateWebhookSecret(subscriptionId);
    return data.secret;
  });
  checks.that(renewed.startsWith('whsec_') && renewed !== firstSecret, 'the secret is a new one');
}

/** The event waits until the webhook is enabled; `reconcileWebhooks` checks that it comes. */
export async function pauseWebhook(stage: Stage): Promise<void> {
  const { client, receiver, checks } = stage;
  const { subscriptionId } = registered(stage);
  stage.timeline.tell('partner', 'disables its webhook');
  const disabled = await client.disableWebhook(subscriptionId);
  checks.same(disabled.isActive, false, 'the webhook is inactive');
  const { journeyId } = await startHostedJourney(stage);
  await sleep(QUIET_MS);
  checks.same(receiver.eventsOf(journeyId), [], 'its event waits while the webhook is inactive');
  const enabled = await client.enableWebhook(subscriptionId);
  checks.same(enabled.isActive, true, 'the webhook is active again');
}

export async function deleteWebhook(stage: Stage): Promise<void> {
  const { client, receiver, checks } = stage;
  const { subscriptionId } = registered(stage);
  const data = await client.deleteWebhook(subscriptionId);
  checks.same(data.deleted, true, 'the webhook is deleted');
  checks.that((await findSubscription(stage)) === undefined, 'it is no longer listed');
  stage.webhook = undefined;
  const unheard = await startHostedJourney(stage);
  await sleep(QUIET_MS);
  const heard = receiver.eventsOf(unheard.journeyId);
  checks.same(heard, [], 'a journey started afterwards sends us nothing');
}

function registered(stage: Stage): RegisteredWebhook {
  if (!stage.webhook) throw new Error('No webhook is registered.');
  return stage.webhook;
}
