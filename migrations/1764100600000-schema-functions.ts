import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which texts of the functions that live in the database were installed. */
export class SchemaFunctions1764100600000 implements MigrationInterface {
  name = 'SchemaFunctions1764100600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE schema_functions (
        name text NOT NULL,
        checksum text NOT NULL,
        installed_at timestamptz NOT NULL DEFAULT app_now(),
        CONSTRAINT schema_functions_pkey PRIMARY KEY (name, checksum)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE schema_functions');
  }
}
