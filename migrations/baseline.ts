import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The body of a trigger function until its text is installed, which follows the migrations in each boot. */
export const PLACEHOLDER = 'BEGIN RETURN NULL; END';

interface BaselineSql {
  readonly up: string;
  readonly down: string;
}

/** A migration that makes a module's tables as the first release has them, in SQL. */
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
