import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The offer that the applicant of an instant loan wants in place of the chosen one, while its payment page is closed. */
export class WantedOffers1764500830000 implements MigrationInterface {
  name = 'WantedOffers1764500830000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE instant_loans ADD wanted_offer_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE instant_loans DROP wanted_offer_id');
  }
}
