import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What goes back of the payments that were taken: one refund a payment. */
export class Refunds1764500200000 implements MigrationInterface {
  name = 'Refunds1764500200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE payment_refunds (
        id text NOT NULL,
        payment_id bigint NOT NULL,
        partner_id text NOT NULL,
        subject_id text NOT NULL,
        order_id text NOT NULL,
        gateway text NOT NULL,
        gateway_payment_id text NOT NULL,
        amount bigint NOT NULL,
        currency text NOT NULL,
        reason text NOT NULL,
        status text NOT NULL DEFAULT 'REQUESTED',
        status_at timestamptz NOT NULL DEFAULT app_now(),
        attempt integer NOT NULL DEFAULT 1,
        gateway_refund_id text,
        asks integer NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        last_failure text,
        failing_since timestamptz,
        next_attempt_at timestamptz DEFAULT app_now(),
        lease_token bigint NOT NULL DEFAULT 0,
        lease_until timestamptz,
        tell_at timestamptz,
        tell_attempts integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT app_now(),
        CONSTRAINT payment_refunds_pkey PRIMARY KEY (id),
        CONSTRAINT payment_refunds_payment FOREIGN KEY (payment_id) REFERENCES payments (id),
        CONSTRAINT payment_refunds_amount CHECK (amount > 0),
        CONSTRAINT payment_refunds_status
          CHECK (status IN ('REQUESTED', 'PENDING', 'DONE', 'FAILED'))
      )
    `);
    await runner.query('CREATE UNIQUE INDEX payment_refunds_once ON payment_refunds (payment_id)');
    await runner.query('CREATE INDEX payment_refunds_by_subject ON payment_refunds (subject_id)');
    await runner.query(`
      CREATE INDEX payment_refunds_due ON payment_refunds (next_attempt_at)
        WHERE next_attempt_at IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX payment_refunds_untold ON payment_refunds (tell_at) WHERE tell_at IS NOT NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TABLE payment_refunds');
  }
}
