import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What proves a step, and what its lender has signed of a Key Facts Statement. */
export class LenderEvidence1764300410000 implements MigrationInterface {
  name = 'LenderEvidence1764300410000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE journey_redirects ADD evidence_sealed text');
    await runner.query('ALTER TABLE key_facts_statements ADD lender_signature text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE key_facts_statements DROP lender_signature');
    await runner.query('ALTER TABLE journey_redirects DROP evidence_sealed');
  }
}
