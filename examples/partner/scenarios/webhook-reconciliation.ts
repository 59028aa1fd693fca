import type { WebhookEvent, WebhookSubscription } from '../../../clients/node/src/index.ts';
import type { Stage, StartedJourney } from '../stage.ts';
import type { Delivery } from '../webhook-receiver.ts';
import { findServiceSlug, verifyWithLibrary, verifyWithOwnCode } from '../webhook-verifier.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { findSubscription } from './products-and-registration.ts';

const EVENTS_BOUND_MS = 10_000;
/** The first retry comes after five seconds, plus at most a fifth as jitter. */
const RETRY_BOUND_MS = 12_000;
const HEALTH_ATTEMPTS = 5;

/** Checks all deliveries, once every expected event had time to arrive. */
export async function reconcileWebhooks(stage: Stage): Promise<void> {
  const { receiver, checks, journeys, forgedDeliveries } = stage;
  for (const journey of journeys) await checkJourney(stage, journey);
  // Without deliveries every check below would pass.
  if (receiver.deliveries.length === 0) throw new Error('nothing was delivered');
  await receiver.waitUntil(() => receiver.deliveries.some((one) => one.repeated), RETRY_BOUND_MS);
  const ours = new Set(journeys.map((journey) => journey.journeyId));
  // Ignores deliveries of other uses of the partner's key.
  const deliveries = receiver.deliveries.filter(({ event }) => ours.has(event.journeyId));
  checkRepetition(stage, receiver.deliveries);
  checkIdentity(stage, deliveries);
  checkPrivacy(stage, deliveries);
  checkRotation(stage, deliveries);
  checks.same(receiver.refused, forgedDeliveries, 'only our forgeries were refused');
  await checkHealth(stage);
}

async function checkJourney(stage: Stage, journey: StartedJourney): Promise<void> {
  const { receiver, checks } = stage;
  const { journeyId, label, expectedEvents } = journey;
  await receiver.waitForEvents(journeyId, expectedEvents.length, EVENTS_BOUND_MS);
  const events = receiver.eventsOf(journeyId);
  const names = events.map((event) => event.event.replace(/^journey\./, ''));
  checks.same(names, expectedEvents, `${label}: ${expectedEvents.join(', ')}`);
  const counted = events.map((event) => event.sequence);
  const wanted = events.map((_event, at) => at + 1);
  checks.same(counted, wanted, `${label}: the sequence counts from 1 without gaps`);
  const same = events.every((event) => event.applicationId === journey.applicationId);
  checks.that(same, `${label}: every event names the application`);
}

function checkRepetition(stage: Stage, deliveries: Delivery[]): void {
  const repeated = deliveries.filter((delivery) => delivery.repeated);
  const again = 'the event answered with 503 came again';
  if (!stage.checks.that(repeated.length > 0, again)) return;
  const first = (id: string) => deliveries.find((delivery) => delivery.event.id === id);
  const identical = repeated.every(({ event, rawBody }) =>
    first(event.id)?.rawBody.equals(rawBody),
  );
  stage.checks.that(identical, 'a repeated event has the same id and the same bytes');
}

function checkIdentity(stage: Stage, deliveries: Delivery[]): void {
  const distinct = new Map(deliveries.map(({ event }) => [event.id, event]));
  const positions = new Set([...distinct.values()].map(positionOf));
  const unique = positions.size === distinct.size;
  stage.checks.that(unique, `the ${distinct.size} event ids are unique`);
  const named = deliveries.every(({ headers, event }) => {
    const slug = findServiceSlug(headers) ?? '';
    const { [`x-${slug}-event-id`]: id, [`x-${slug}-event`]: name } = headers;
    return id === event.id && name === event.event;
  });
  stage.checks.that(named, 'the headers name the same event and id as the body');
}

function positionOf({ journeyId, sequence }: WebhookEvent): string {
  return `${journeyId}/${sequence}`;
}

function checkPrivacy(stage: Stage, deliveries: Delivery[]): void {
  const bodies = deliveries.map(({ rawBody }) => rawBody.toString('utf8').toLowerCase());
  const leaked = [...stage.personalData].filter((value) =>
    bodies.some((body) => body.includes(value.toLowerCase())),
  );
  stage.checks.same(leaked, [], 'no delivery carries a PAN, mobile, name or account number');
}

function checkRotation(stage: Stage, deliveries: Delivery[]): void {
  const old = stage.webhook?.firstSecret ?? '';
  const after = deliveries.filter((delivery) => delivery.secret !== old);
  const came = `${after.length} deliveries used the new secret`;
  if (!stage.checks.that(after.length > 0, came)) return;
  const overlaps = after.every((one) => verifyWithLibrary(old, one.rawBody, one.headers));
  stage.checks.that(overlaps, 'webhook-signature has signatures of the old and the new secret');
  const replaced = after.every((one) => !verifyWithOwnCode(old, one.rawBody, one.headers));
  stage.checks.that(replaced, 'the x- signature uses only the new secret');
}

/** The service records a success only after our response, so the last one may show late. */
async function checkHealth(stage: Stage): Promise<void> {
  let listed: WebhookSubscription | undefined;
  for (let attempt = 1; attempt <= HEALTH_ATTEMPTS; attempt += 1) {
    listed = await findSubscription(stage);
    if (listed?.failureCount === 0 && listed.lastDeliveryAt) break;
    await sleep(500);
  }
  const healthy = listed?.isActive && listed.failureCount === 0 && Boolean(listed.lastDeliveryAt);
  stage.checks.that(Boolean(healthy), 'the list shows the webhook in good health', listed ?? null);
}
