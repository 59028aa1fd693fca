import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first answers to calls that bore an Idempotency-Key; they hold secrets, so they are sealed. */
export class Idempotency1763700300000 implements MigrationInterface {
  name = 'Idempotency1763700300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE idempotent_answers (
        partner_id text NOT NULL,
        operation text NOT NULL,
        idempotency_key text NOT NULL,
        body_hash text NOT NULL,
        answer_sealed text NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT idempotent_answers_pkey PRIMARY KEY (partner_id, operation, idempotency_key)
      );
      CREATE INDEX idempotent_answers_by_time ON idempotent_answers (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotent_answers');
  }
}
