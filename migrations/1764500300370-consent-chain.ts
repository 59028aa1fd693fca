import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every consent joins the chain of its loan. */
export class ConsentChain1764500300370 implements MigrationInterface {
  name = 'ConsentChain1764500300370';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER consent_log_join_audit AFTER INSERT OR UPDATE ON consent_log
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      EXECUTE FUNCTION chain_audit_row('subject_id', '{}', '{}')
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TRIGGER consent_log_join_audit ON consent_log');
  }
}
