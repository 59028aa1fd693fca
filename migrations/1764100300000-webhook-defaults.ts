import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a subscription was made, by the database's clock, without being told. */
export class WebhookDefaults1764100300000 implements MigrationInterface {
  name = 'WebhookDefaults1764100300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE webhook_subscriptions ALTER created_at SET DEFAULT app_now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE webhook_subscriptions ALTER created_at DROP DEFAULT');
  }
}
