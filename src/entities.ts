import { ApiKey, ApiKeyWindow, Partner, RequestNonce } from './auth/index.js';
import { FrozenPdfRow } from './hosted/index.js';
import { INSTANT_LOAN_ENTITIES } from './instant-loans/index.js';
import { JOURNEY_ENTITIES } from './journeys/index.js';
import { Application, LeadCount, LeadCountDelta } from './leads/index.js';
import { LenderInboxRow, LenderQuestionRow, LenderRow } from './lenders/index.js';
import { SmsLimitRow, SmsMessageRow } from './messaging/index.js';
import {
  ConfigurationRow,
  DeploymentRow,
  IdempotentAnswerRow,
  MasterKeyRow,
  OperatorFlagRow,
} from './platform/index.js';
import { PAYMENT_ENTITIES } from './payments/index.js';
import { ProductRow } from './products/index.js';
import { SandboxPaymentRow, SandboxSmsRow } from './sandbox/index.js';
import { WEBHOOK_ENTITIES } from './webhooks/index.js';

/** Every entity that TypeORM knows; a test holds them against the migrations. */
export const ALL_ENTITIES = [
  DeploymentRow,
  ConfigurationRow,
  MasterKeyRow,
  OperatorFlagRow,
  IdempotentAnswerRow,
  Partner,
  ApiKey,
  ApiKeyWindow,
  RequestNonce,
  ProductRow,
  Application,
  LeadCount,
  LeadCountDelta,
  LenderRow,
  LenderQuestionRow,
  LenderInboxRow,
  ...JOURNEY_ENTITIES,
  ...INSTANT_LOAN_ENTITIES,
  FrozenPdfRow,
  ...WEBHOOK_ENTITIES,
  SmsMessageRow,
  SmsLimitRow,
  SandboxSmsRow,
  ...PAYMENT_ENTITIES,
  SandboxPaymentRow,
];
