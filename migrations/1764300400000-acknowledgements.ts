import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When, how and in which language the applicant has acknowledged a frozen statement. */
export class Acknowledgements1764300400000 implements MigrationInterface {
  name = 'Acknowledgements1764300400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE key_facts_statements ADD acknowledged_hash text,
        ADD acknowledged_at timestamptz,
        ADD acknowledged_by text
          CONSTRAINT key_facts_statements_acknowledged_by
          CHECK (acknowledged_by IN ('CONFIRMATION', 'REDIRECT', 'SANDBOX_RETURN')),
        ADD acknowledged_language text
          CONSTRAINT key_facts_statements_acknowledged_language
          CHECK (acknowledged_language IN ('en', 'hi')),
        ADD CONSTRAINT key_facts_statements_acknowledged
          CHECK (num_nonnulls(acknowledged_hash, acknowledged_at, acknowledged_by) IN (0, 3))
    `);
    // A hosted journey's statement was frozen by the applicant's own word, in a language that nobody
    // noted. A headless one's was not: its applicant is asked on the next visit to a redirect link.
    await runner.query(`
      UPDATE key_facts_statements s
      SET acknowledged_hash = content_hash, acknowledged_at = frozen_at,
        acknowledged_by = 'CONFIRMATION'
      FROM journeys j WHERE j.id = s.journey_id AND j.channel = 'API_HOSTED'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE key_facts_statements DROP acknowledged_language, DROP acknowledged_by,
        DROP acknowledged_at, DROP acknowledged_hash
    `);
  }
}
