import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The limits per client address are settings. A configuration that was applied without them gets their
 * defaults, so that they hold before the file is applied again.
 */
export class AddressLimits1763800620000 implements MigrationInterface {
  name = 'AddressLimits1763800620000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE configuration SET revision = revision + 1, settings = jsonb_build_object(
        'codesPerAddressPerHour', 600,
        'wrongCodesPerAddressPerHour', 300,
        'linksPerAddressPerHour', 200
      ) || settings`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE configuration SET revision = revision + 1, settings = settings
        - 'codesPerAddressPerHour' - 'wrongCodesPerAddressPerHour' - 'linksPerAddressPerHour'`);
  }
}
