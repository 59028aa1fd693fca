import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which offers were shown, how, and what was chosen of them; the database refuses to change what is there. */
export class OfferPresentations1764500110000 implements MigrationInterface {
  name = 'OfferPresentations1764500110000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    // Its current text is in src/platform/store/functions.
    await runner.query(`
      CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME
          USING ERRCODE = 'restrict_violation';
      END
      $$
    `);
    await runner.query(`
      CREATE TABLE offer_presentations (
        id text NOT NULL,
        partner_id text NOT NULL,
        subject_id text NOT NULL,
        round integer NOT NULL,
        kind text NOT NULL,
        place text NOT NULL,
        language text,
        metric text NOT NULL,
        content text NOT NULL,
        content_hash text NOT NULL,
        day date NOT NULL,
        fingerprint text NOT NULL,
        recorded_at timestamptz NOT NULL DEFAULT app_now(),
        CONSTRAINT offer_presentations_pkey PRIMARY KEY (id),
        CONSTRAINT offer_presentations_partner FOREIGN KEY (partner_id) REFERENCES partners (id),
        CONSTRAINT offer_presentations_kind CHECK (kind IN ('SHOWN', 'CHOSEN')),
        CONSTRAINT offer_presentations_place CHECK (place IN ('PAGE', 'API')),
        CONSTRAINT offer_presentations_language CHECK (language IN ('en', 'hi'))
      )
    `);
    await runner.query(`
      CREATE UNIQUE INDEX offer_presentations_once ON offer_presentations (subject_id, fingerprint)
    `);
    await runner.query(`
      CREATE TRIGGER offer_presentations_stay BEFORE UPDATE OR DELETE ON offer_presentations
        FOR EACH ROW EXECUTE FUNCTION refuse_change()
    `);
    await runner.query(`
      CREATE TRIGGER offer_presentations_stay_whole BEFORE TRUNCATE ON offer_presentations
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TABLE offer_presentations');
    await runner.query('DROP FUNCTION refuse_change');
  }
}
