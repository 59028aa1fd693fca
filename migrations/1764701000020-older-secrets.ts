import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

/** Every secret of the last day signs, not only the last but one. */
export class OlderSecrets1764701000020 implements MigrationInterface {
  name = 'OlderSecrets1764701000020';

  async up(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'webhook_subscriptions');
    await runner.query(
      `ALTER TABLE webhook_subscriptions ADD COLUMN older_secrets jsonb NOT NULL DEFAULT '[]'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'webhook_subscriptions');
    await runner.query('ALTER TABLE webhook_subscriptions DROP COLUMN older_secrets');
  }
}
