import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the flags of one journey are found by: to show them, and not to raise one twice. */
export class SubjectLookups1764300630000 implements MigrationInterface {
  name = 'SubjectLookups1764300630000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('CREATE INDEX operator_flags_of_subject ON operator_flags (subject_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP INDEX operator_flags_of_subject');
  }
}
