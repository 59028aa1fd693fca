import type { WebhookEventName } from '../domain/webhook-events.js';

/** What the partner shall do next; without the URL of a redirect, which opens the applicant's session. */
export interface EventNextAction {
  readonly type: string;
  readonly category: string;
}

/** An event as its journey hands it over; no personal data belongs in it. */
export interface PublishedEvent {
  readonly partnerId: string;
  readonly journeyId: string;
  readonly applicationId: string;
  readonly name: WebhookEventName;
  /** Counts the journey's events from 1. */
  readonly sequence: number;
  readonly createdAt: Date;
  readonly data: {
    readonly productCode: string;
    readonly channel: string;
    readonly state: string;
    readonly nextAction: EventNextAction;
    readonly outcome: string;
  };
}

/**
 * The body of every delivery of an event. It is made once and kept as text, so that all attempts
 * send, and sign, the same bytes. Fields are picked one by one: what else a caller's object may
 * hold does not leave the service.
 */
export function eventBody(id: string, event: PublishedEvent): string {
  const { productCode, channel, state, nextAction, outcome } = event.data;
  return JSON.stringify({
    id,
    event: event.name,
    createdAt: event.createdAt.toISOString(),
    apiVersion: 'v1',
    sequence: event.sequence,
    journeyId: event.journeyId,
    applicationId: event.applicationId,
    data: {
      productCode,
      channel,
      state,
      nextAction: { type: nextAction.type, category: nextAction.category },
      outcome,
    },
  });
}
