import type { ApiClient } from './api-client.ts';
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
  api: ApiClient;
  receiver: WebhookReceiver;
  checks: Checks;
  timeline: Timeline;
  journeys: StartedJourney[];
  personalData: Set<string>;
  webhook: RegisteredWebhook | undefined;
  /** How many deliveries this application forged itself, each of them to be refused. */
  forgedDeliveries: number;
}
