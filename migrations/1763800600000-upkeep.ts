import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long a payment gateway has been silent about an order, and what the inboxes are read by. */
export class Upkeep1763800600000 implements MigrationInterface {
  name = 'Upkeep1763800600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE payment_orders
        ADD COLUMN failing_since timestamptz,
        ADD COLUMN silent_at timestamptz
    `);
    await runner.query(INBOXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(INBOXES_BACK);
    await runner.query(`
      ALTER TABLE payment_orders DROP COLUMN failing_since, DROP COLUMN silent_at
    `);
  }
}

// lender_inbox is read by two owners, each of which takes kinds of its own: neither shall walk through
// what waits for the other.
const INBOXES = `
  DROP INDEX payment_inbox_by_order;
  CREATE INDEX payment_inbox_by_subject ON payment_inbox (subject_id) WHERE consumed_at IS NULL;
  DROP INDEX lender_inbox_waiting;
  CREATE INDEX lender_inbox_waiting ON lender_inbox (kind, next_attempt_at, id)
    WHERE consumed_at IS NULL;
`;

const INBOXES_BACK = `
  DROP INDEX lender_inbox_waiting, payment_inbox_by_subject;
  CREATE INDEX lender_inbox_waiting ON lender_inbox (next_attempt_at, id)
    WHERE consumed_at IS NULL;
  CREATE INDEX payment_inbox_by_order ON payment_inbox (order_id);
`;
