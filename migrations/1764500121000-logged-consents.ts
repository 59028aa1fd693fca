import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The consents from before the log join it. By itself: nobody who gives one waits for it. */
export class LoggedConsents1764500121000 implements MigrationInterface {
  name = 'LoggedConsents1764500121000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO consent_log (id, partner_id, subject_id, way, basis, text_version, language, shown_text,
        text_hash, lender_codes, given_at, came_by)
      SELECT id, partner_id, journey_id, 'HOSTED', 'TEXT', text_version, language, shown_text, text_hash,
        lender_codes, given_at, session_id
      FROM consents ORDER BY given_at, id
      ON CONFLICT (id) DO NOTHING
    `);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
