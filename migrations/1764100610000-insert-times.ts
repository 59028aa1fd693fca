import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a lead, a question to a lender and a kept PDF were made: by the database's clock, untold. */
export class InsertTimes1764100610000 implements MigrationInterface {
  name = 'InsertTimes1764100610000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE applications ALTER updated_at SET DEFAULT app_now()');
    await runner.query('ALTER TABLE lender_questions ALTER created_at SET DEFAULT app_now()');
    await runner.query('ALTER TABLE key_facts_pdfs ALTER drawn_at SET DEFAULT app_now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE key_facts_pdfs ALTER drawn_at DROP DEFAULT');
    await runner.query('ALTER TABLE lender_questions ALTER created_at DROP DEFAULT');
    await runner.query('ALTER TABLE applications ALTER updated_at DROP DEFAULT');
  }
}
