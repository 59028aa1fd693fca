import { ConfigurationRow } from './configuration.entity.js';
import { DeploymentRow } from './deployment.entity.js';
import { IdempotentAnswerRow } from './idempotent-answer.entity.js';
import { MasterKeyRow } from './master-key.entity.js';
import { OperatorFlagRow } from './operator-flag.entity.js';

export const PLATFORM_ENTITIES = [
  ConfigurationRow,
  DeploymentRow,
  IdempotentAnswerRow,
  MasterKeyRow,
  OperatorFlagRow,
];
