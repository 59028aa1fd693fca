import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The times of these rows are those of their insert, by the database's clock. */
const TIMES: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['journey_offers', ['created_at']],
  ['journey_redirects', ['created_at']],
  ['journey_intents', ['created_at']],
  ['journey_audit', ['created_at']],
  ['key_facts_statements', ['frozen_at']],
  ['consents', ['given_at']],
  ['hosted_links', ['created_at']],
  ['link_requests', ['created_at', 'due_at']],
];

export class JourneyDefaults1764100200000 implements MigrationInterface {
  name = 'JourneyDefaults1764100200000';

  async up(runner: QueryRunner): Promise<void> {
    await alter(runner, 'SET DEFAULT app_now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await alter(runner, 'DROP DEFAULT');
  }
}

async function alter(runner: QueryRunner, change: string): Promise<void> {
  await runner.query(`SET LOCAL lock_timeout = '5s'`);
  for (const [table, columns] of TIMES) {
    const changes = columns.map((column) => `ALTER ${column} ${change}`);
    await runner.query(`ALTER TABLE ${table} ${changes.join(', ')}`);
  }
}
