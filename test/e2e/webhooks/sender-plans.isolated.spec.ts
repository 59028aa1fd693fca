// Isolated: the plans of a large queue are looked at.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { costlyPlans, keptStatements } from '../schema/kept-statements.js';
import { DeliveryBench, SUCCESS } from './delivery-bench.js';

let bench: DeliveryBench;

beforeAll(async () => {
  bench = await DeliveryBench.open();
});

afterAll(() => bench?.close());

/** A lane that works again, an answer that is lost, and a lane that is given back. */
async function send(): Promise<void> {
  const { probe } = await bench.broken(1);
  await bench.claims.renew(probe);
  await bench.finish(probe, SUCCESS);
  await bench.reset();
  await bench.subscribe();
  await bench.publishMany(2);
  const [first, second] = await bench.claims.claim();
  bench.loseAnswer('webhook-attempts-record');
  await bench.finish(first, SUCCESS);
  bench.claims.giveBack(second);
  await bench.claims.releaseIdle();
}

it('the sender reads no table whole, nor all keys for each row, also by a plan that was made while it was small', async () => {
  const sent = await keptStatements(send);
  const kept = sent.filter(({ name }) => name.startsWith('webhook-'));
  expect(kept.map(({ name }) => name).toSorted()).toEqual([
    'webhook-attempts-record',
    'webhook-attempts-recorded',
    'webhook-deliveries-due',
    'webhook-lane-renew',
    'webhook-lanes-release',
    'webhook-lanes-take',
    'webhook-retries-make-due',
    'webhook-retries-mark',
    'webhook-retries-unmark',
  ]);
  expect(await costlyPlans(bench.url, kept)).toEqual({});
});
