import { DeploymentRow } from './deployment.js';
import { IdempotentAnswerRow } from './idempotent-answer.entity.js';
import { InstalledFunction } from './installed-functions.js';
import { MasterKeyRow } from './master-keys.js';

export const PLATFORM_ENTITIES = [
  DeploymentRow,
  IdempotentAnswerRow,
  InstalledFunction,
  MasterKeyRow,
];
