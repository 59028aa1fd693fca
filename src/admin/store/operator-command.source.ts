import { auditSource } from '../../audit/index.js';
import { OperatorCommand } from './operator-command.entity.js';

export const OPERATOR_COMMAND_SOURCE = auditSource(OperatorCommand, {
  subject: 'subjectId',
  at: 'createdAt',
  tell: ({ command = '', given_by: by = '', parameters = '' }) =>
    `The operator (${by}) gave the command ${command} ${parameters}.`,
});
