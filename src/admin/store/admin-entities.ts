import { OperatorCommand } from './operator-command.entity.js';

export const ADMIN_ENTITIES = [OperatorCommand];
