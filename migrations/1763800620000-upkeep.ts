import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long a payment gateway has been silent about an order, and what the inboxes are read by. */
export class Upkeep1763800620000 implements MigrationInterface {
  name = 'Upkeep1763800620000';

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

// lender_inbox is read by two owners. Whoever takes one kind alone must not walk through what waits
// for the other; whoever takes many is served in the order of time, by lender_inbox_waiting.
const INBOXES = `
  DROP INDEX payment_inbox_by_order;
  CREATE INDEX payment_inbox_by_subject ON payment_inbox (subject_id) WHERE consumed_at IS NULL;
  CREATE INDEX lender_inbox_waiting_by_kind ON lender_inbox (kind, next_attempt_at, id)
    WHERE consumed_at IS NULL;
`;

const INBOXES_BACK = `
  DROP INDEX lender_inbox_waiting_by_kind, payment_inbox_by_subject;
  CREATE INDEX payment_inbox_by_order ON payment_inbox (order_id);
`;
