import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By what a process is told at boot that it lacks a master key of this database, or has a wrong one. */
export class MasterKeys1764020000000 implements MigrationInterface {
  name = 'MasterKeys1764020000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE master_keys (
        name text NOT NULL,
        check_sealed text NOT NULL,
        sealing_since timestamptz,
        created_at timestamptz NOT NULL DEFAULT app_now(),
        CONSTRAINT master_keys_pkey PRIMARY KEY (name)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE master_keys');
  }
}
