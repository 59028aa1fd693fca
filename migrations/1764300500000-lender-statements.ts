import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What lenders have paid out, and what their statements of a day say of it. */
export class LenderStatements1764300500000 implements MigrationInterface {
  name = 'LenderStatements1764300500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await createPayouts(runner);
    await createStatements(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TABLE lender_statement_payouts');
    await runner.query('DROP TABLE lender_statements');
    await runner.query('DROP TABLE lender_payouts');
  }
}

async function createPayouts(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE lender_payouts (
      lender_code text NOT NULL,
      application_id text NOT NULL,
      amount bigint NOT NULL,
      utr text NOT NULL,
      paid_at timestamptz NOT NULL,
      day date NOT NULL,
      CONSTRAINT lender_payouts_pkey PRIMARY KEY (lender_code, application_id)
    )
  `);
  await runner.query('CREATE INDEX lender_payouts_of_day ON lender_payouts (lender_code, day)');
  await runner.query('CREATE INDEX lender_payouts_utr ON lender_payouts (lender_code, utr)');
}

async function createStatements(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE lender_statements (
      id bigint GENERATED ALWAYS AS IDENTITY,
      lender_code text NOT NULL,
      day date NOT NULL,
      pages integer NOT NULL,
      payout_count integer NOT NULL,
      payout_total bigint NOT NULL,
      pages_here integer[] NOT NULL DEFAULT '{}',
      lines_here integer NOT NULL DEFAULT 0,
      received_at timestamptz NOT NULL DEFAULT app_now(),
      check_at timestamptz,
      failed_checks integer NOT NULL DEFAULT 0,
      CONSTRAINT lender_statements_pkey PRIMARY KEY (id)
    )
  `);
  await runner.query(`
    CREATE UNIQUE INDEX lender_statements_once
      ON lender_statements (lender_code, day, pages, payout_count, payout_total)
  `);
  await runner.query(`
    CREATE INDEX lender_statements_to_check ON lender_statements (lender_code, check_at)
      WHERE check_at IS NOT NULL
  `);
  await runner.query(`
    CREATE TABLE lender_statement_payouts (
      statement_id bigint NOT NULL,
      page integer NOT NULL,
      line integer NOT NULL,
      lender_code text NOT NULL,
      day date NOT NULL,
      application_id text NOT NULL,
      is_followed boolean NOT NULL,
      loan_reference text NOT NULL,
      amount bigint NOT NULL,
      utr text NOT NULL,
      paid_at timestamptz NOT NULL,
      CONSTRAINT lender_statement_payouts_pkey PRIMARY KEY (statement_id, page, line),
      CONSTRAINT lender_statement_payouts_statement
        FOREIGN KEY (statement_id) REFERENCES lender_statements (id)
    )
  `);
  await runner.query(`
    CREATE INDEX lender_statement_payouts_utr
      ON lender_statement_payouts (lender_code, utr, application_id, day)
  `);
}
