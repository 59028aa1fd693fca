import { isWorthRetrying, type Database } from '../../src/platform/index.js';

const ENDS = [
  // The file's receivers are closed.
  `UPDATE webhook_subscriptions
   SET deleted_at = app_now(), secret_sealed = NULL, previous_secrets = '[]'
   WHERE partner_id = $1 AND deleted_at IS NULL`,
  'DELETE FROM webhook_queue WHERE partner_id = $1',
  'DELETE FROM webhook_lanes WHERE partner_id = $1',
  `UPDATE lender_questions SET status = 'CLOSED', lease_until = NULL
   WHERE partner_id = $1 AND status = 'OPEN'`,
  'UPDATE lender_inbox SET consumed_at = app_now() WHERE partner_id = $1 AND consumed_at IS NULL',
  `UPDATE journey_intents SET status = 'WITHDRAWN' WHERE partner_id = $1 AND status = 'OPEN'`,
  `UPDATE journeys SET state = 'ABANDONED', offers_due_at = NULL, lease_until = NULL
   WHERE partner_id = $1 AND state NOT IN ('SANCTIONED', 'REJECTED', 'ABANDONED')`,
  `UPDATE journey_milestones SET outcome = 'UNTRUE', settled_at = app_now()
   WHERE partner_id = $1 AND settled_at IS NULL`,
  'UPDATE journey_fees SET called_off_at = app_now() WHERE partner_id = $1 AND paid_at IS NULL',
  `UPDATE sms_messages SET status = 'CANCELLED', content_sealed = NULL
   WHERE partner_id = $1 AND status = 'WAITING'`,
  'UPDATE payment_orders SET next_attempt_at = NULL WHERE partner_id = $1',
  'UPDATE payment_refunds SET next_attempt_at = NULL, tell_at = NULL WHERE partner_id = $1',
  'UPDATE sandbox_payments SET next_callback_at = NULL WHERE partner_id = $1',
  'UPDATE payment_inbox SET consumed_at = app_now() WHERE partner_id = $1 AND consumed_at IS NULL',
];

const MOST_TRIES = 20;

/** Ends a spec file's open work. Otherwise a later file of the worker would run it when the time moves. */
export async function endLeftWork(database: Database, partnerId: string): Promise<void> {
  for (const end of ENDS) await ended(database, end, partnerId, MOST_TRIES);
}

async function ended(
  database: Database,
  end: string,
  partnerId: string,
  triesLeft: number,
): Promise<void> {
  try {
    await database.transaction((tx) => tx.execute(end, [partnerId]));
  } catch (error) {
    if (triesLeft <= 1 || !isWorthRetrying(error)) throw error;
    await ended(database, end, partnerId, triesLeft - 1);
  }
}
