import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Fresh links that were asked for and are looked into after the answer. */
export class LinkRequests1764050100000 implements MigrationInterface {
  name = 'LinkRequests1764050100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE link_requests (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        subject_sealed text NOT NULL,
        language text NOT NULL,
        created_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL,
        CONSTRAINT link_requests_language CHECK (language IN ('en', 'hi'))
      );
      CREATE INDEX link_requests_due ON link_requests (due_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE link_requests');
  }
}
