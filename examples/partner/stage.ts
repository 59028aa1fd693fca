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
  /** In the order of their sequence, without the `journey.` before each. */
  expectedEvents: readonly string[];
}

export interface RegisteredWebhook {
  subscriptionId: string;
  url: string;
  /** The secret before the rotation, kept to see that it signs nothing alone afterwards. */
  firstSecret: string;
}

/** What the scenarios share. */
export interface Stage {
  baseUrl: string;
  /** For ordinary calls. */
  client: RinpathClient;
  /** For calls that are to be refused, or that race each other. */
  raw: RawCalls;
  receiver: WebhookReceiver;
  checks: Checks;
  timeline: Timeline;
  journeys: StartedJourney[];
  personalData: Set<string>;
  webhook: RegisteredWebhook | undefined;
  /** How many deliveries this application forged itself, each of them to be refused. */
  forgedDeliveries: number;
}
