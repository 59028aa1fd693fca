import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many texts a mobile is sent in a day. A configuration that was applied without the setting gets
 * its default, so that the limit holds before the file is applied again.
 */
export class TextLimits1764050000000 implements MigrationInterface {
  name = 'TextLimits1764050000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(LIMITS);
    await runner.query(`
      UPDATE configuration SET revision = revision + 1,
        settings = jsonb_build_object('textsPerMobilePerDay', 20) || settings`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sms_limits');
    await runner.query(`
      UPDATE configuration SET revision = revision + 1,
        settings = settings - 'textsPerMobilePerDay'`);
  }
}

const LIMITS = `
  CREATE TABLE sms_limits (
    mobile_hash text PRIMARY KEY,
    count integer NOT NULL,
    ends_at timestamptz NOT NULL
  );
  CREATE INDEX sms_limits_ending ON sms_limits (ends_at);
`;
