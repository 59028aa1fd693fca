import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the lenders stood that made no offer, when a round of offers ended. */
export class LendersWithoutOffer1764500100000 implements MigrationInterface {
  name = 'LendersWithoutOffer1764500100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE journeys ADD lenders_without_offer jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE journeys DROP lenders_without_offer');
  }
}
