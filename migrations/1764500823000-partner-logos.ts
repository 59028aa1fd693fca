import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The picture beside a partner's name; replicas of the earlier release show the name alone. */
export class PartnerLogos1764500823000 implements MigrationInterface {
  name = 'PartnerLogos1764500823000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE partner_logos (
        partner_id text NOT NULL,
        version text NOT NULL,
        content_type text NOT NULL,
        width integer NOT NULL,
        height integer NOT NULL,
        bytes bytea NOT NULL,
        CONSTRAINT partner_logos_pkey PRIMARY KEY (partner_id),
        CONSTRAINT partner_logos_partner FOREIGN KEY (partner_id) REFERENCES partners (id),
        CONSTRAINT partner_logos_type CHECK (content_type IN ('image/png', 'image/webp', 'image/jpeg')),
        CONSTRAINT partner_logos_bytes CHECK (octet_length(bytes) <= 16384)
      )
    `);
    await runner.query('CREATE INDEX partner_logos_by_version ON partner_logos (version)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE partner_logos');
  }
}
