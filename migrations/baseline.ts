import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The body of a trigger function until the start installs its text, after the migrations. */
export const PLACEHOLDER = 'BEGIN RETURN NULL; END';

interface BaselineSql {
  readonly up: string;
  readonly down: string;
}

/** Creates a module's tables in SQL, as in the first release. */
export function baseline(name: string, { up, down }: BaselineSql): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(up);
    }

    async down(runner: QueryRunner): Promise<void> {
      await runner.query(down);
    }
  };
}
