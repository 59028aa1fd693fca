import { MIGRATIONS } from '../migrations/index.js';
import { ADMIN_ENTITIES, ADMIN_KEPT } from './admin/index.js';
import { AUDIT_ENTITIES } from './audit/index.js';
import { AUTH_ENTITIES, AUTH_KEPT, sealedSecrets } from './auth/index.js';
import { CONSENT_ENTITIES } from './consents/index.js';
import { INSTANT_LOAN_ENTITIES } from './instant-loans/index.js';
import { JOURNEY_ENTITIES } from './journeys/index.js';
import { KEY_FACTS_ENTITIES } from './key-facts/index.js';
import { LEAD_ENTITIES } from './leads/index.js';
import { LENDER_API_ENTITIES, LENDER_API_KEPT, sealedLenderApiKeys } from './lender-api/index.js';
import { LENDER_ENTITIES } from './lenders/index.js';
import { MATCHING_ENTITIES } from './matching/index.js';
import { MESSAGING_ENTITIES } from './messaging/index.js';
import { PAYMENT_ENTITIES } from './payments/index.js';
import {
  PLATFORM_ENTITIES,
  PLATFORM_KEPT,
  readDatabaseFunctions,
  type Schema,
} from './platform/index.js';
import { REQUEST_LOG_ENTITIES } from './request-log/index.js';
import { installSandboxClock, SANDBOX_ENTITIES, SANDBOX_KEPT } from './sandbox/index.js';
import { WEBHOOK_ENTITIES, WEBHOOKS_KEPT } from './webhooks/index.js';
import { OPERATOR_FLAG_ENTITIES } from './operator-flags/index.js';
import { WORKBENCH_ENTITIES } from './workbench/index.js';
import {
  sealedClientKeys,
  sealedGateways,
  sealedPaymentAccounts,
  SETTINGS_ENTITIES,
} from './settings/index.js';

/** A test compares them with the migrations. */
export const ALL_ENTITIES = [
  ...PLATFORM_ENTITIES,
  ...AUDIT_ENTITIES,
  ...AUTH_ENTITIES,
  ...SETTINGS_ENTITIES,
  ...OPERATOR_FLAG_ENTITIES,
  ...REQUEST_LOG_ENTITIES,
  ...KEY_FACTS_ENTITIES,
  ...LEAD_ENTITIES,
  ...MATCHING_ENTITIES,
  ...CONSENT_ENTITIES,
  ...LENDER_ENTITIES,
  ...LENDER_API_ENTITIES,
  ...JOURNEY_ENTITIES,
  ...INSTANT_LOAN_ENTITIES,
  ...WEBHOOK_ENTITIES,
  ...MESSAGING_ENTITIES,
  ...PAYMENT_ENTITIES,
  ...ADMIN_ENTITIES,
  ...WORKBENCH_ENTITIES,
  ...SANDBOX_ENTITIES,
];

export const SCHEMA: Schema = {
  entities: ALL_ENTITIES,
  migrations: MIGRATIONS,
  functions: readDatabaseFunctions(new URL('.', import.meta.url)),
  installSandboxClock,
  sealedSamples: [
    sealedGateways,
    sealedSecrets,
    sealedClientKeys,
    sealedPaymentAccounts,
    sealedLenderApiKeys,
  ],
  keptByReset: [
    PLATFORM_KEPT,
    AUTH_KEPT,
    { entities: SETTINGS_ENTITIES },
    LENDER_API_KEPT,
    WEBHOOKS_KEPT,
    ADMIN_KEPT,
    SANDBOX_KEPT,
  ],
};
