import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets personal data be erased where it is no longer needed: what is still to be read (an open
 * question or intent, an answer that nobody took up yet) keeps it, which the checks see to.
 */
export class Erasure1763700410000 implements MigrationInterface {
  name = 'Erasure1763700410000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE lender_questions ALTER payload_sealed DROP NOT NULL,
        ADD CONSTRAINT lender_questions_payload
          CHECK (payload_sealed IS NOT NULL OR status <> 'OPEN');
      ALTER TABLE lender_inbox ALTER answer_sealed DROP NOT NULL,
        ADD CONSTRAINT lender_inbox_answer
          CHECK (answer_sealed IS NOT NULL OR consumed_at IS NOT NULL);
      ALTER TABLE journey_intents ALTER payload_sealed DROP NOT NULL,
        ADD CONSTRAINT journey_intents_payload
          CHECK (payload_sealed IS NOT NULL OR status <> 'OPEN');
    `);
  }

  /** What was erased cannot come back: an empty text, which opens to nothing, takes its place. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE lender_questions SET payload_sealed = '' WHERE payload_sealed IS NULL;
      UPDATE lender_inbox SET answer_sealed = '' WHERE answer_sealed IS NULL;
      UPDATE journey_intents SET payload_sealed = '' WHERE payload_sealed IS NULL;
      ALTER TABLE lender_questions DROP CONSTRAINT lender_questions_payload,
        ALTER payload_sealed SET NOT NULL;
      ALTER TABLE lender_inbox DROP CONSTRAINT lender_inbox_answer,
        ALTER answer_sealed SET NOT NULL;
      ALTER TABLE journey_intents DROP CONSTRAINT journey_intents_payload,
        ALTER payload_sealed SET NOT NULL;
    `);
  }
}
