import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What lenders offer for instant loans. An application is made before anybody has made an offer, so what
 * follows from one is not there at first; without any it is rejected, and nothing was paid.
 */
export class InstantOffers1764500600000 implements MigrationInterface {
  name = 'InstantOffers1764500600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    // The index and the look at the rows that are there come later, without this lock.
    await runner.query(`
      ALTER TABLE instant_loans
        ALTER fee DROP NOT NULL,
        ALTER lender_code DROP NOT NULL,
        ALTER comparison DROP NOT NULL,
        ALTER key_facts_sealed DROP NOT NULL,
        ALTER key_facts_hash DROP NOT NULL,
        ALTER payment_order_id DROP NOT NULL,
        ADD offer_id text,
        ADD offers_due_at timestamptz,
        ADD offers_given_up_at timestamptz,
        DROP CONSTRAINT instant_loans_paid,
        ADD CONSTRAINT instant_loans_paid CHECK ((paid_at IS NOT NULL)
          = (status IN ('PAYMENT_RECEIVED', 'SANCTIONED')
            OR status = 'REJECTED' AND lender_code IS NOT NULL)) NOT VALID,
        ADD CONSTRAINT instant_loans_chosen CHECK (
          num_nonnulls(fee, lender_code, comparison, key_facts_sealed, key_facts_hash)
            = CASE WHEN lender_code IS NULL THEN 0 ELSE 5 END
          AND (lender_code IS NOT NULL OR num_nonnulls(offer_id, payment_order_id) = 0)) NOT VALID
    `);
    await runner.query(INSTANT_OFFERS);
  }

  /** Not while there are applications that no lender was chosen for. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TABLE instant_offers');
    await runner.query(`
      ALTER TABLE instant_loans
        ALTER fee SET NOT NULL,
        ALTER lender_code SET NOT NULL,
        ALTER comparison SET NOT NULL,
        ALTER key_facts_sealed SET NOT NULL,
        ALTER key_facts_hash SET NOT NULL,
        ALTER payment_order_id SET NOT NULL,
        DROP CONSTRAINT instant_loans_chosen,
        DROP CONSTRAINT instant_loans_paid,
        ADD CONSTRAINT instant_loans_paid CHECK ((paid_at IS NOT NULL)
          = (status IN ('PAYMENT_RECEIVED', 'SANCTIONED', 'REJECTED'))),
        DROP offer_id, DROP offers_due_at, DROP offers_given_up_at
    `);
  }
}

// One row for each lender that was asked, once it has answered, or has been waited for in vain.
const INSTANT_OFFERS = `
  CREATE TABLE instant_offers (
    id text NOT NULL,
    partner_id text NOT NULL,
    application_id text NOT NULL,
    lender_code text NOT NULL,
    lender_name text NOT NULL,
    standing text NOT NULL,
    reason text,
    offer_reference text,
    quote jsonb,
    terms jsonb,
    fee_on_decline text,
    valid_until timestamptz,
    recorded_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT instant_offers_pkey PRIMARY KEY (id),
    CONSTRAINT instant_offers_application FOREIGN KEY (application_id) REFERENCES instant_loans (id),
    CONSTRAINT instant_offers_standing CHECK (standing IN ('OFFERED', 'DECLINED', 'OFFER_REFUSED',
      'UNREACHABLE', 'NO_ANSWER')),
    CONSTRAINT instant_offers_offered CHECK (
      num_nonnulls(offer_reference, quote, terms, fee_on_decline, valid_until)
        = CASE WHEN standing = 'OFFERED' THEN 5 ELSE 0 END)
  );
  CREATE UNIQUE INDEX instant_offers_once ON instant_offers (application_id, lender_code);
`;
