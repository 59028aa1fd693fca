import { DeploymentRow } from './deployment.entity.js';
import { IdempotentAnswerRow } from './idempotent-answer.entity.js';
import { InstalledFunction } from './installed-function.entity.js';
import { MasterKeyRow } from './master-key.entity.js';

export const PLATFORM_ENTITIES = [
  DeploymentRow,
  IdempotentAnswerRow,
  InstalledFunction,
  MasterKeyRow,
];
