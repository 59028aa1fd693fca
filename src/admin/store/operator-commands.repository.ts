import { type DataSource, Entity } from 'typeorm';
import { z } from 'zod';
import { auditSource, hasChain, recordedJson } from '../../audit/index.js';
import {
  IdentityColumn,
  JsonColumn,
  type KeptByReset,
  NowColumn,
  TextColumn,
} from '../../platform/index.js';

/** Without secrets and personal data. */
@Entity('operator_commands')
class OperatorCommand {
  @IdentityColumn
  readonly id: number;

  /** Id of a journey or an instant loan, or `operator`. */
  @TextColumn
  readonly subjectId: string;

  /** For example `keys suspend`. */
  @TextColumn
  readonly command: string;

  /** Personal values are only named. */
  @JsonColumn
  readonly parameters: Record<string, unknown>;

  @TextColumn
  readonly givenBy: string;

  @NowColumn
  readonly createdAt: Date;
}

export const ADMIN_ENTITIES = [OperatorCommand];

/** The audit chain of commands that concern no known loan. */
export const OPERATOR_SUBJECT = 'operator';

export type GivenCommand = Pick<
  OperatorCommand,
  'subjectId' | 'command' | 'parameters' | 'givenBy'
>;

/** A reset empties the audit, so the commands are inserted again to be in it. */
export const ADMIN_KEPT: KeptByReset = {
  entities: ADMIN_ENTITIES,
  after: `
    WITH taken AS (
      DELETE FROM operator_commands RETURNING id, command, parameters, given_by, created_at
    )
    INSERT INTO operator_commands (subject_id, command, parameters, given_by, created_at)
    SELECT '${OPERATOR_SUBJECT}', command, parameters, given_by, least(created_at, app_now())
    FROM taken ORDER BY id`,
};

/** Recorded before the command runs, so also when it fails. An unknown loan gets no audit chain. */
export async function recordCommand(dataSource: DataSource, given: GivenCommand): Promise<void> {
  const { command, parameters, givenBy } = given;
  const isKnown = await hasChain(dataSource, given.subjectId);
  const subjectId = isKnown ? given.subjectId : OPERATOR_SUBJECT;
  await dataSource.query(
    `INSERT INTO operator_commands (subject_id, command, parameters, given_by) VALUES ($1, $2, $3, $4)`,
    [subjectId, command, JSON.stringify(parameters), givenBy],
  );
}

export const OPERATOR_COMMAND_SOURCE = auditSource(OperatorCommand, {
  subject: 'subjectId',
  at: 'createdAt',
  tell: ({ command = '', given_by: by = '', parameters }) =>
    `The operator (${by}) gave the command “${command}”${withWords(parameters)}.`,
});

const Parameters = z.record(z.string(), z.unknown());

function withWords(parameters: string | undefined): string {
  const given = Object.entries(recordedJson(Parameters, parameters));
  const words = given.map(([name, value]) => {
    if (value === true) return name;
    const said = Array.isArray(value) ? value.join(' ') : String(value);
    return name === 'arguments' ? said : `${name} ${said}`;
  });
  return words.length > 0 ? `: ${words.join(', ')}` : '';
}
