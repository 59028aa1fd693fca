import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The index of what waits for offers, in a transaction of its own: applications are read on meanwhile. */
export class AwaitingInstantOffers1764500600500 implements MigrationInterface {
  name = 'AwaitingInstantOffers1764500600500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE INDEX instant_loans_awaiting_offers ON instant_loans (offers_due_at)
        WHERE offers_due_at IS NOT NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP INDEX instant_loans_awaiting_offers');
  }
}
