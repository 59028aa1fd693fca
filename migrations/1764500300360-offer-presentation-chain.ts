import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was shown of offers, and what was chosen, joins the chain of its loan. */
export class OfferPresentationChain1764500300360 implements MigrationInterface {
  name = 'OfferPresentationChain1764500300360';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER offer_presentations_join_audit
      AFTER INSERT OR UPDATE ON offer_presentations
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      EXECUTE FUNCTION chain_audit_row('subject_id', '{content}', '{}')
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TRIGGER offer_presentations_join_audit ON offer_presentations');
  }
}
