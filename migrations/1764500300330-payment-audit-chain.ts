import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What happens with a payment order joins the chain of what is paid for. */
export class PaymentAuditChain1764500300330 implements MigrationInterface {
  name = 'PaymentAuditChain1764500300330';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER payment_audit_join_audit AFTER INSERT OR UPDATE ON payment_audit
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      EXECUTE FUNCTION chain_audit_row('subject_id', '{}', '{}')
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TRIGGER payment_audit_join_audit ON payment_audit');
  }
}
