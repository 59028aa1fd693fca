import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a lender answers joins the chain of its loan, and again when it is erased. That an answer was processed
 * does not: the trigger leaves such updates out.
 */
export class LenderInboxChain1764500710000 implements MigrationInterface {
  name = 'LenderInboxChain1764500710000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER lender_inbox_join_audit AFTER INSERT OR UPDATE OF answer_sealed ON lender_inbox
      DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.consumed_at IS NULL OR NEW.answer_sealed IS NULL)
      EXECUTE FUNCTION chain_audit_row('subject_id', '{answer_sealed}', '{attempts,next_attempt_at,consumed_at}')
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TRIGGER lender_inbox_join_audit ON lender_inbox');
  }
}
