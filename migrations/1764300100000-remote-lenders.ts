import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lenders outside the process: how each is reached, and the keys that the service signs with. */
export class RemoteLenders1764300100000 implements MigrationInterface {
  name = 'RemoteLenders1764300100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE lender_api_keys (
        kid text NOT NULL,
        private_sealed text NOT NULL,
        public_jwk jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT app_now(),
        retired_at timestamptz,
        CONSTRAINT lender_api_keys_pkey PRIMARY KEY (kid)
      )`);
    await runner.query(`
      ALTER TABLE lenders
        ADD COLUMN kind text,
        ADD COLUMN remote jsonb,
        ADD COLUMN client_key_sealed text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE lenders
        DROP COLUMN kind,
        DROP COLUMN remote,
        DROP COLUMN client_key_sealed`);
    await runner.query('DROP TABLE lender_api_keys');
  }
}
