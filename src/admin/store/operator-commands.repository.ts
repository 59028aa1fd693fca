import type { DataSource } from 'typeorm';
import { hasChain } from '../../audit/index.js';
import { OperatorCommand } from './operator-command.entity.js';

export const ADMIN_ENTITIES = [OperatorCommand];

/** Has the chain of commands that name no loan. */
export const OPERATOR_SUBJECT = 'operator';

export type GivenCommand = Pick<
  OperatorCommand,
  'subjectId' | 'command' | 'parameters' | 'givenBy'
>;

/** Before the command runs, so that a failed one is noted. An unknown loan gets no chain. */
export async function recordCommand(dataSource: DataSource, given: GivenCommand): Promise<void> {
  const { command, parameters, givenBy } = given;
  const isKnown = await hasChain(dataSource, given.subjectId);
  const subjectId = isKnown ? given.subjectId : OPERATOR_SUBJECT;
  await dataSource.query(
    `INSERT INTO operator_commands (subject_id, command, parameters, given_by) VALUES ($1, $2, $3, $4)`,
    [subjectId, command, JSON.stringify(parameters), givenBy],
  );
}
