import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every move of a journey joins the chain of the journey. */
export class JourneyAuditChain1764500300310 implements MigrationInterface {
  name = 'JourneyAuditChain1764500300310';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER journey_audit_join_audit AFTER INSERT OR UPDATE ON journey_audit
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      EXECUTE FUNCTION chain_audit_row('journey_id', '{}', '{}')
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TRIGGER journey_audit_join_audit ON journey_audit');
  }
}
