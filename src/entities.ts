import { ApiKey, ApiKeyWindow, Partner, RequestNonce } from './auth/index.js';
import { JOURNEY_ENTITIES } from './journeys/index.js';
import { Application, LeadCount, LeadCountDelta } from './leads/index.js';
import { LenderInboxRow, LenderQuestionRow, LenderRow } from './lenders/index.js';
import {
  ConfigurationRow,
  DeploymentRow,
  IdempotentAnswerRow,
  OperatorFlagRow,
} from './platform/index.js';
import { ProductRow } from './products/index.js';
import { WEBHOOK_ENTITIES } from './webhooks/index.js';

/** Every entity that TypeORM knows; a test holds them against the migrations. */
export const ALL_ENTITIES = [
  DeploymentRow,
  ConfigurationRow,
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
  ...WEBHOOK_ENTITIES,
];
