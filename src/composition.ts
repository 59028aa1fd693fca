import type { Type } from '@nestjs/common';
import { type AuditTrail, OPERATOR_COMMAND_SOURCE } from './admin/index.js';
import { AuditModule, type AuditSource, type CurrentRecord } from './audit/index.js';
import { CONSENT_LOG_SOURCE } from './consents/index.js';
import {
  JOURNEY_AUDIT_SOURCE,
  JOURNEY_FEE_RECORD,
  JOURNEY_RECORD,
  JourneyErasureModule,
  journeyLead,
} from './journeys/index.js';
import { KEY_FACTS_SOURCE } from './key-facts/index.js';
import { leadRecord } from './leads/index.js';
import {
  LENDER_MESSAGE_SOURCE,
  LenderApiModule,
  LenderClientModule,
  LenderMessagesModule,
  RlpConnector,
} from './lender-api/index.js';
import {
  type ConnectorBinding,
  LENDER_INBOX_SOURCE,
  LenderRecordsModule,
} from './lenders/index.js';
import { OFFER_PRESENTATION_SOURCE } from './matching/index.js';
import { SmsRecordsModule } from './messaging/index.js';
import { PAYMENT_AUDIT_SOURCE, PAYMENT_RECORDS, PaymentRecordsModule } from './payments/index.js';
import type { Mode } from './platform/index.js';
import { SandboxLender, SandboxModule, SandboxRecordsModule } from './sandbox/index.js';
import { eventRecord } from './webhooks/index.js';

/** Every table whose rows join the chains; a migration adds each trigger. */
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

export function personalDataHolders(mode: Mode): Type[] {
  return [
    JourneyErasureModule,
    LenderRecordsModule,
    LenderMessagesModule,
    PaymentRecordsModule,
    SmsRecordsModule,
    ...(mode === 'sandbox' ? [SandboxRecordsModule] : []),
  ];
}

/** Lenders outside the process use the lender protocol; the sandbox adds simulated ones. */
export function lenderConnectors(mode: Mode): ConnectorBinding {
  return mode === 'sandbox'
    ? { imports: [SandboxModule, LenderApiModule], inject: [SandboxLender, RlpConnector] }
    : { imports: [LenderApiModule], inject: [RlpConnector] };
}

export function lenderAdapters(mode: Mode): string[] {
  return lenderConnectors(mode).inject.map(({ adapter }) => adapter);
}
