import { AttemptsRepository } from '../store/attempts.repository.js';
import { DueDeliveriesRepository } from '../store/due-deliveries.repository.js';
import { LaneLeasesRepository } from '../store/lane-leases.repository.js';
import { SenderDatabase } from '../store/sender-database.js';
import { WebhookMetrics } from '../webhook-metrics.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { DeliveryAttempt } from './delivery-attempt.js';
import { DeliveryClaims } from './delivery-claims.js';
import { DeliveryDueTimes } from './delivery-due-times.js';
import { DeliverySender } from './delivery-sender.js';
import { ReplicaWakeUp } from './replica-wake-up.js';

/** The sender and its parts, for the module; `SenderWakeUp` tells it from outside that there is something. */
export const SENDER_PROVIDERS = [
  SenderDatabase,
  LaneLeasesRepository,
  DueDeliveriesRepository,
  AttemptsRepository,
  DeliveryClaims,
  DeliveryAttempt,
  AttemptRecorder,
  DeliverySender,
  DeliveryDueTimes,
  ReplicaWakeUp,
  WebhookMetrics,
];
