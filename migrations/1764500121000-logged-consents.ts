import type { MigrationInterface, QueryRunner } from 'typeorm';

const A_LOT = 2_000;

/**
 * The consents from before the log join it. By itself, and a lot at a time, each durable at once: nobody who
 * gives one waits for it, and a boot that is ended on the way goes on where it was.
 */
export class LoggedConsents1764500121000 implements MigrationInterface {
  name = 'LoggedConsents1764500121000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    let last: string | null = '';
    while (last !== null) last = await logLot(runner, last);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** @returns the last id of the lot; null when none was left */
async function logLot(runner: QueryRunner, after: string): Promise<string | null> {
  const [{ last }] = (await runner.query(
    `WITH lot AS (SELECT * FROM consents WHERE id > $1 ORDER BY id LIMIT ${A_LOT}),
     logged AS (
       INSERT INTO consent_log (id, partner_id, subject_id, way, basis, text_version, language, shown_text,
         text_hash, lender_codes, given_at, came_by)
       SELECT id, partner_id, journey_id, 'HOSTED', 'TEXT', text_version, language, shown_text, text_hash,
         lender_codes, given_at, session_id
       FROM lot ORDER BY id
       ON CONFLICT (id) DO NOTHING
     )
     SELECT max(id) AS last FROM lot`,
    [after],
  )) as [{ last: string | null }];
  return last;
}
