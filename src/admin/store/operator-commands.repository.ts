import type { DataSource } from 'typeorm';
import type { OperatorCommand } from './operator-command.entity.js';

export type GivenCommand = Pick<
  OperatorCommand,
  'subjectId' | 'command' | 'parameters' | 'givenBy'
>;

/** Notes a command before it is carried out: what fails was given, too. */
export async function recordCommand(dataSource: DataSource, given: GivenCommand): Promise<void> {
  const { subjectId, command, parameters, givenBy } = given;
  await dataSource.query(
    `INSERT INTO operator_commands (subject_id, command, parameters, given_by) VALUES ($1, $2, $3, $4)`,
    [subjectId, command, JSON.stringify(parameters), givenBy],
  );
}
