import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every move of an instant loan joins its chain. */
export class InstantLoanAuditChain1764500300320 implements MigrationInterface {
  name = 'InstantLoanAuditChain1764500300320';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER instant_loan_audit_join_audit AFTER INSERT OR UPDATE ON instant_loan_audit
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      EXECUTE FUNCTION chain_audit_row('application_id', '{}', '{}')
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TRIGGER instant_loan_audit_join_audit ON instant_loan_audit');
  }
}
