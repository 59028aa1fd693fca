import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The picture in place of a lender's mark; replicas of the earlier release show the mark. */
export class LenderLogos1764803000030 implements MigrationInterface {
  name = 'LenderLogos1764803000030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE lender_logos (
        lender_code text NOT NULL,
        version text NOT NULL,
        bytes bytea NOT NULL,
        CONSTRAINT lender_logos_pkey PRIMARY KEY (lender_code),
        CONSTRAINT lender_logos_lender FOREIGN KEY (lender_code) REFERENCES lenders (code),
        CONSTRAINT lender_logos_bytes CHECK (octet_length(bytes) <= 65536)
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE lender_logos');
  }
}
