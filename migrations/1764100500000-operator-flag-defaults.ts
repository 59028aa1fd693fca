import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A flag is raised at the time of the database's clock, without being told. */
export class OperatorFlagDefaults1764100500000 implements MigrationInterface {
  name = 'OperatorFlagDefaults1764100500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE operator_flags ALTER created_at SET DEFAULT app_now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE operator_flags ALTER created_at DROP DEFAULT');
  }
}
