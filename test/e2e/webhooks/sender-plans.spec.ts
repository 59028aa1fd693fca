import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keptStatements, readWhole } from '../schema/kept-statements.js';
import { DeliveryBench, SUCCESS } from './delivery-bench.js';

const SLOTS = 32;

let bench: DeliveryBench;
let client: Client;

beforeAll(async () => {
  bench = await DeliveryBench.open();
  client = new Client({ connectionString: bench.url });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await bench?.close();
});

/** A lane that works again, an answer that is lost, and a lane that is given back. */
async function send(): Promise<void> {
  const { probe } = await bench.broken(1);
  await bench.claims.renew(probe);
  await bench.finish(probe, SUCCESS);
  await bench.reset();
  await bench.subscribe();
  await bench.publishMany(2);
  const [first, second] = await bench.claims.claim(SLOTS);
  bench.loseAnswer('webhook-attempts-record');
  await bench.finish(first, SUCCESS);
  bench.claims.giveBack(second);
  await bench.claims.giveBackIdle();
}

it('the sender reads no table whole, also by a plan that was made while it was small', async () => {
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
  expect(await readWhole(client, kept)).toEqual({});
});
