import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What lenders tell us by calls of their own, and the ids of those calls, which are good once. */
export class LenderCallbacks1764300200000 implements MigrationInterface {
  name = 'LenderCallbacks1764300200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE lender_request_ids (
        lender_code text NOT NULL,
        jti text NOT NULL,
        used_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT lender_request_ids_pkey PRIMARY KEY (lender_code, jti)
      )
    `);
    await runner.query('CREATE INDEX lender_request_ids_old ON lender_request_ids (used_at)');
    await runner.query(`
      CREATE TABLE lender_messages (
        id bigint GENERATED ALWAYS AS IDENTITY,
        lender_code text NOT NULL,
        kind text NOT NULL CONSTRAINT lender_messages_kind
          CHECK (kind IN ('ANSWER', 'OFFER_REVISION', 'LOAN_EVENT', 'STATEMENT')),
        message_id text NOT NULL,
        partner_id text,
        subject_id text,
        body_hash text NOT NULL,
        body_sealed text,
        received_at timestamptz NOT NULL DEFAULT app_now(),
        CONSTRAINT lender_messages_pkey PRIMARY KEY (id)
      )
    `);
    await runner.query(`
      CREATE UNIQUE INDEX lender_messages_once ON lender_messages (lender_code, kind, message_id)
    `);
    await runner.query(`
      CREATE INDEX lender_messages_of_subject ON lender_messages (subject_id)
        WHERE subject_id IS NOT NULL
    `);
    await runner.query('CREATE INDEX lender_inbox_of_subject ON lender_inbox (subject_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX lender_inbox_of_subject');
    await runner.query('DROP TABLE lender_messages');
    await runner.query('DROP TABLE lender_request_ids');
  }
}
