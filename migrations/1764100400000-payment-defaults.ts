import type { MigrationInterface, QueryRunner } from 'typeorm';

const TIMES = {
  payment_orders: ['status_at', 'next_attempt_at', 'created_at'],
  payments: ['recorded_at'],
  payment_inbox: ['received_at', 'next_attempt_at'],
  payment_callbacks: ['received_at'],
  payment_audit: ['created_at'],
};

/** What payments are recorded at by default: the database's own time. */
export class PaymentDefaults1764100400000 implements MigrationInterface {
  name = 'PaymentDefaults1764100400000';

  async up(runner: QueryRunner): Promise<void> {
    await alterTimes(runner, 'SET DEFAULT app_now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterTimes(runner, 'DROP DEFAULT');
  }
}

async function alterTimes(runner: QueryRunner, change: string): Promise<void> {
  await runner.query(`SET LOCAL lock_timeout = '5s'`);
  for (const [table, columns] of Object.entries(TIMES)) {
    const changes = columns.map((column) => `ALTER ${column} ${change}`);
    await runner.query(`ALTER TABLE ${table} ${changes.join(', ')}`);
  }
}
