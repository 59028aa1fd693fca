import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { ContestantOrder } from './contestant.ts';
import type { Contestant } from './contestants.ts';
import { loadDue, loadSubscriptions } from './data.ts';
import { receiverOf } from './post.ts';
import { makeSender } from './sender.ts';
import { stopwatch } from './stopwatch.ts';

/** Numbers the deliveries, so that ids never collide, even across processes. */
let nextPlace = Date.now() * 1_000;

/** The whole sender: its own claims, signing, posting and records. */
export async function serviceContestant(order: ContestantOrder): Promise<Contestant> {
  const parts = await makeSender(order.databaseUrl);
  const client = new Client({ connectionString: order.databaseUrl });
  await client.connect();
  const urlOf = (index: number) => `${receiverOf(order.receiverPorts, index)}/hooks/${index}`;
  await loadSubscriptions(client, order.subscriptions, urlOf, (secret) => parts.seal(secret));
  return {
    send: async (count) => {
      await setActive(client, false);
      await loadDue(client, { count, subscriptions: order.subscriptions, from: nextPlace });
      nextPlace += count;
      const before = await parts.recorded();
      const stop = stopwatch(order.dataDir);
      await setActive(client, true);
      parts.wake();
      while ((await parts.recorded()) - before < count) await sleep(2);
      const measured = stop();
      await assertNoneIsLeft(client);
      return measured;
    },
    close: async () => {
      await parts.close();
      await client.end();
    },
  };
}

/** Pauses sending while deliveries are made. Locks lanes in the sender's order; other lanes are unchanged. */
async function setActive(client: Client, isActive: boolean): Promise<void> {
  await client.query(
    `WITH lane AS MATERIALIZED (
       SELECT subscription_id FROM webhook_lanes WHERE partner_id = 'bench'
       ORDER BY subscription_id FOR NO KEY UPDATE
     )
     UPDATE webhook_lanes l SET is_active = $1,
       inactive_since = CASE WHEN $1 THEN NULL ELSE app_now() END
     FROM lane WHERE l.subscription_id = lane.subscription_id`,
    [isActive],
  );
}

async function assertNoneIsLeft(client: Client): Promise<void> {
  const { rows } = await client.query<{ left: boolean }>(
    `SELECT EXISTS (SELECT FROM webhook_queue WHERE partner_id = 'bench') AS left`,
  );
  if (rows[0]?.left) throw new Error('something that was counted is still open');
}
