import { asPlainText } from '../../platform/index.js';
import {
  type DeliveryRow,
  type Subscription,
  type TestResult,
  WEBHOOK_EVENTS,
} from '../../webhooks/index.js';
import { explained } from '../guide/guide.js';
import { counted, stamp } from './format.js';

export function shownSubscription(subscription: Subscription) {
  const { id, url, events, isActive, failureCount, lastDeliveryAt } = subscription;
  return {
    id,
    url,
    events: events?.join(', ') ?? `all ${WEBHOOK_EVENTS.length} of journeys`,
    isActive,
    failureCount,
    lastDeliveryAt: lastDeliveryAt && stamp(lastDeliveryAt),
    href: `/workbench/webhooks/${id}`,
  };
}

export function shownDelivery(row: DeliveryRow) {
  const { id, eventId, event, journeyId, status, createdAt, nextAttemptAt, attempts } = row;
  return {
    id,
    eventId,
    event,
    journeyId,
    status,
    ...explained('delivery', status),
    isBad: status === 'EXHAUSTED' || status === 'CANCELLED' || status === 'PAUSED',
    createdAt: stamp(createdAt),
    nextAttemptAt: nextAttemptAt && stamp(nextAttemptAt),
    attemptCount: counted(attempts.length, 'attempt', 'attempts'),
    attempts: attempts.map(({ startedAt, ...attempt }) => ({
      number: attempt.attempt,
      at: stamp(new Date(startedAt)),
      ...shownAnswer(attempt),
    })),
  };
}

export function shownTest(result: TestResult) {
  return { ...shownAnswer(result), isDelivered: result.isDelivered, eventId: result.eventId };
}

type Answered = Pick<TestResult, 'durationMs' | 'responseStatus' | 'responseExcerpt' | 'failure'>;

function shownAnswer({ durationMs, responseStatus, responseExcerpt, failure }: Answered) {
  const isGood = failure === null && responseStatus !== null && responseStatus < 300;
  return {
    isGood,
    outcome: failure ?? `${responseStatus}`,
    durationMs,
    excerpt: responseExcerpt && asPlainText(responseExcerpt),
    ...(isGood ? explained('delivery', 'SUCCEEDED') : explained('failure', failure ?? 'STATUS')),
  };
}
