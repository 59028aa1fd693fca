import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

const QUIET_MS = 120_000;

const BUSY = `
  SELECT EXISTS (
    SELECT FROM lender_questions WHERE status = 'OPEN' AND next_attempt_at < now() + interval '1 hour'
  ) OR EXISTS (SELECT FROM lender_inbox WHERE consumed_at IS NULL) AS busy`;

/**
 * Waits until the lenders have answered all earlier questions, so that the next measurement excludes that work.
 * @throws Error after two minutes
 */
export async function untilQuiet(client: Client): Promise<void> {
  const until = performance.now() + QUIET_MS;
  for (;;) {
    const { rows } = await client.query<{ busy: boolean }>(BUSY);
    if (!rows[0]?.busy) return;
    if (performance.now() > until) throw new Error('the background never came to rest');
    await sleep(200);
  }
}
