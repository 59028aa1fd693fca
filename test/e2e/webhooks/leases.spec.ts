import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type SendingBench, sendingTests } from './sending-bench.js';
import { SLUG } from './signed-delivery.js';

let sending: SendingBench;

sendingTests((started) => {
  sending = started;
});

describe('a lease', () => {
  it('of a sender that died is taken over by the other replica', async () => {
    const { id } = await sending.subscribe();
    // As a sender leaves it behind that claimed the delivery and was killed before it sent it.
    const event = `evt_${randomBytes(16).toString('hex')}`;
    await sending.database.query(
      `INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
       VALUES ($1, $2, $1, 'journey.initiated', 1, '{"left":"behind"}', app_now())`,
      [event, sending.partnerId],
    );
    await sending.database.query(
      `WITH delivery AS (
         INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status,
           created_at)
         VALUES ($1, $4, $2, $3, 'PENDING', app_now())
       ),
       lane AS (
         UPDATE webhook_lanes SET lease_token = lease_token + 1,
           lease_until = app_now() + interval '20 seconds' WHERE subscription_id = $2
       )
       INSERT INTO webhook_queue (delivery_id, partner_id, subscription_id, event_id,
         next_attempt_at)
       VALUES ($1, $4, $2, $3, app_now())`,
      [`dlv_${randomBytes(16).toString('hex')}`, id, event, sending.partnerId],
    );
    await sending.travel(21_000);
    const [delivery] = await sending.receiver.waitForCount(1);
    expect(delivery.body.toString()).toBe('{"left":"behind"}');
    expect(await sending.recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('that was taken over while its holder waited makes the holder’s answer void', async () => {
    const before = await sending.voids();
    const taken = Promise.withResolvers<void>();
    sending.receiver.answerNext({ status: 500, after: taken.promise });
    const { id } = await sending.subscribe();
    await sending.publish();
    await sending.receiver.waitForCount(1);
    // As a third replica does once the lease has run out, which is then killed in its turn.
    await sending.database.query(
      `UPDATE webhook_lanes SET lease_token = lease_token + 1,
         lease_until = app_now() + interval '20 seconds' WHERE subscription_id = $1`,
      [id],
    );
    taken.resolve();
    await eventually(async () => expect(await sending.voids()).toBe(before + 1));
    expect(await sending.deliveryOf(id)).toMatchObject({ status: 'PENDING', attempts: 0 });
    expect(await sending.listed(id)).toMatchObject({ failureCount: 0 });
    await sending.travel(21_000);
    const [, second] = await sending.receiver.waitForCount(2);
    expect(second.headers[`x-${SLUG}-attempt`]).toBe('1');
    expect(await sending.recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await sending.attemptsOf(id)).toMatchObject([{ attempt: 1, responseStatus: 200 }]);
  });
});
