import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is due at the same moment has an order, too, so that a sender that has read some of a lane goes
 * on behind the last of them.
 */
export class QueueOrder1763800700000 implements MigrationInterface {
  name = 'QueueOrder1763800700000';

  async up(runner: QueryRunner): Promise<void> {
    await replaceIndexes(runner, 'subscription_id, next_attempt_at, delivery_id');
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceIndexes(runner, 'subscription_id, next_attempt_at');
  }
}

async function replaceIndexes(runner: QueryRunner, columns: string): Promise<void> {
  await runner.query(`SET LOCAL lock_timeout = '5s'`);
  await runner.query('DROP INDEX webhook_queue_first, webhook_queue_again');
  await runner.query(
    `CREATE INDEX webhook_queue_first ON webhook_queue (${columns}) WHERE attempts = 0`,
  );
  await runner.query(
    `CREATE INDEX webhook_queue_again ON webhook_queue (${columns}) WHERE attempts > 0`,
  );
}
