import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How far old rows have been taken in joins a chain of its own, those that are done already as well. Of the
 * rows' progress the chain has nothing: the trigger fires when `done_at` is written.
 */
export class AuditIntakeChain1764500700000 implements MigrationInterface {
  name = 'AuditIntakeChain1764500700000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(
      `ALTER TABLE audit_intakes ADD COLUMN subject_id text NOT NULL DEFAULT 'audit'`,
    );
    await runner.query(`
      CREATE CONSTRAINT TRIGGER audit_intakes_join_audit AFTER INSERT OR UPDATE OF done_at ON audit_intakes
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      EXECUTE FUNCTION chain_audit_row('subject_id', '{}', '{last_key}')
    `);
    await runner.query('UPDATE audit_intakes SET done_at = done_at');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TRIGGER audit_intakes_join_audit ON audit_intakes');
    await runner.query('ALTER TABLE audit_intakes DROP COLUMN subject_id');
  }
}
