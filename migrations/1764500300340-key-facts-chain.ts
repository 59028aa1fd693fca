import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A frozen statement joins the chain of its loan, and again when it is acknowledged. */
export class KeyFactsChain1764500300340 implements MigrationInterface {
  name = 'KeyFactsChain1764500300340';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER key_facts_statements_join_audit AFTER INSERT OR UPDATE ON key_facts_statements
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      EXECUTE FUNCTION chain_audit_row('journey_id', '{content_sealed}', '{}')
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TRIGGER key_facts_statements_join_audit ON key_facts_statements');
  }
}
