import { AttemptRecorder } from './attempt-recorder.js';
import { AttemptRecords } from '../store/attempt-records.repository.js';
import { DeliveryAttempt } from './delivery-attempt.js';
import { DeliveryClaims } from './delivery-claims.js';
import { DeliverySender } from './delivery-sender.js';
import { DueAnnouncer } from './due-announcer.js';
import { ProcessName } from './due-channel.js';
import { DueDeliveries } from '../store/due-deliveries.repository.js';
import { DueElsewhere } from './due-elsewhere.js';
import { DueListener } from './due-listener.js';
import { LaneLeases } from '../store/lane-leases.repository.js';
import { SenderDatabase } from '../store/sender-database.js';

/** What sends deliveries; of what is outside, it is told by `DeliveriesDue`. */
export const SENDING = [
  SenderDatabase,
  LaneLeases,
  DueDeliveries,
  DeliveryClaims,
  DeliveryAttempt,
  AttemptRecords,
  AttemptRecorder,
  DeliverySender,
  DueElsewhere,
  ProcessName,
  DueAnnouncer,
  DueListener,
];
