import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lead of a journey, for the filter of `GET /leads`. */
export class LeadsByJourney1764701000010 implements MigrationInterface {
  name = 'LeadsByJourney1764701000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('CREATE INDEX applications_by_journey ON applications (journey_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP INDEX applications_by_journey');
  }
}
