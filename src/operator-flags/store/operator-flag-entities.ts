import { OperatorFlag } from './operator-flag.entity.js';

export const OPERATOR_FLAG_ENTITIES = [OperatorFlag];
