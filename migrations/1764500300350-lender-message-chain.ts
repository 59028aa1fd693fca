import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a lender tells of a loan joins the chain of the loan, and again when its words are erased. */
export class LenderMessageChain1764500300350 implements MigrationInterface {
  name = 'LenderMessageChain1764500300350';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER lender_messages_join_audit AFTER INSERT OR UPDATE ON lender_messages
      DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.subject_id IS NOT NULL)
      EXECUTE FUNCTION chain_audit_row('subject_id', '{body_sealed}', '{}')
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TRIGGER lender_messages_join_audit ON lender_messages');
  }
}
