import type { RinpathClient } from '../../clients/node/src/index.ts';
import type { RawCalls } from './raw-calls.ts';
import type { Checks } from './checks.ts';
import type { Timeline } from './timeline.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

export interface StartedJourney {
  label: string;
  journeyId: string;
  applicationId: string;
  session: string | undefined;
  /** In order of sequence, without the prefix `journey.`. */
  expectedEvents: readonly string[];
}

export interface RegisteredWebhook {
  subscriptionId: string;
  url: string;
  /** The secret before the rotation. A later delivery must not be signed only with it. */
  firstSecret: string;
}

/** Shared by the scenarios. */
export interface Stage {
  baseUrl: string;
  /** For ordinary calls. */
  client: RinpathClient;
  /** For calls that must be refused, or that race each other. */
  raw: RawCalls;
  receiver: WebhookReceiver;
  checks: Checks;
  timeline: Timeline;
  journeys: StartedJourney[];
  personalData: Set<string>;
  webhook: RegisteredWebhook | undefined;
  /** Deliveries that this application forged, each of which must be refused. */
  forgedDeliveries: number;
}
