import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where calls go whose day has no table: none is lost for it. */
export class RestOfRequests1764700823000 implements MigrationInterface {
  name = 'RestOfRequests1764700823000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('CREATE TABLE partner_requests_rest PARTITION OF partner_requests DEFAULT');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TABLE partner_requests_rest');
  }
}
