import { z } from 'zod';
import { auditSource, toldJson } from '../../audit/index.js';
import { OperatorCommand } from './operator-command.entity.js';

export const OPERATOR_COMMAND_SOURCE = auditSource(OperatorCommand, {
  subject: 'subjectId',
  at: 'createdAt',
  tell: ({ command = '', given_by: by = '', parameters }) =>
    `The operator (${by}) gave the command “${command}”${withWords(parameters)}.`,
});

const Parameters = z.record(z.string(), z.unknown());

/** `: journey jrn_…, personal` */
function withWords(parameters: string | undefined): string {
  const given = Object.entries(toldJson(Parameters, parameters));
  const words = given.map(([name, value]) => {
    if (value === true) return name;
    const said = Array.isArray(value) ? value.join(' ') : String(value);
    return name === 'arguments' ? said : `${name} ${said}`;
  });
  return words.length > 0 ? `: ${words.join(', ')}` : '';
}
