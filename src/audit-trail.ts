import { type AuditTrail, OPERATOR_COMMAND_SOURCE } from './admin/index.js';
import { AuditModule, type AuditSource, type CurrentRecord } from './audit/index.js';
import { CONSENT_LOG_SOURCE } from './consents/index.js';
import {
  JOURNEY_AUDIT_SOURCE,
  JOURNEY_FEE_RECORD,
  JOURNEY_RECORD,
  journeyLead,
} from './journeys/index.js';
import { KEY_FACTS_SOURCE } from './key-facts/index.js';
import { leadRecord } from './leads/index.js';
import { LENDER_MESSAGE_SOURCE, LenderClientModule } from './lender-api/index.js';
import { LENDER_INBOX_SOURCE } from './lenders/index.js';
import { OFFER_PRESENTATION_SOURCE } from './matching/index.js';
import { PAYMENT_AUDIT_SOURCE, PAYMENT_RECORDS } from './payments/index.js';
import { eventRecord } from './webhooks/index.js';

/** Every table whose rows join the chains; a migration adds each one's trigger. */
const SOURCES: readonly AuditSource[] = [
  CONSENT_LOG_SOURCE,
  JOURNEY_AUDIT_SOURCE,
  KEY_FACTS_SOURCE,
  LENDER_INBOX_SOURCE,
  LENDER_MESSAGE_SOURCE,
  OFFER_PRESENTATION_SOURCE,
  PAYMENT_AUDIT_SOURCE,
  OPERATOR_COMMAND_SOURCE,
];

/** Every table whose current rows the audit determines. */
const RECORDS: readonly CurrentRecord[] = [
  JOURNEY_RECORD,
  JOURNEY_FEE_RECORD,
  leadRecord(journeyLead),
  ...PAYMENT_RECORDS,
  eventRecord(JOURNEY_AUDIT_SOURCE),
];

export const AUDIT_TRAIL: AuditTrail = {
  sources: SOURCES,
  records: RECORDS,
  module: AuditModule.of({ sources: SOURCES, records: RECORDS, signedBy: LenderClientModule }),
};
