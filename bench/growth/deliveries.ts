import { once } from 'node:events';
import type { Client } from 'pg';
import { medianOf, medianRatio } from '../support/interleaved.ts';
import { forkWith } from '../webhooks/ground.ts';
import { RunningContestant } from '../webhooks/running-contestant.ts';
import type { Growth } from './ground.ts';
import type { Side } from './side.ts';

const SUBSCRIPTIONS = 50;
const DELIVERIES = 10_000;
const ROUNDS = 7;
const IN_FLIGHT = 64;

/** The service's sender with due deliveries; the two sides alternate. */
export async function deliveriesSection({ small, large, dataDir, log }: Growth): Promise<string> {
  const receiver = forkWith('receiver.ts', {});
  const running = new Map<Side, RunningContestant>();
  const rates = { small: [] as number[], large: [] as number[] };
  for (const { client } of [small, large]) await removeSent(client);
  try {
    const [{ ports }] = (await once(receiver, 'message')) as [{ ports: number[] }];
    for (const side of [small, large]) {
      const contestant = await RunningContestant.start({
        name: 'service',
        databaseUrl: side.url,
        dataDir,
        receiverPorts: ports,
        subscriptions: SUBSCRIPTIONS,
        inFlight: IN_FLIGHT,
        warmUp: DELIVERIES,
      });
      running.set(side, contestant);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const side of round % 2 === 0 ? [small, large] : [large, small]) {
        const result = await running.get(side)!.send(DELIVERIES);
        log(`deliveries, ${side.name}: ${result.rate.toFixed()} a second`);
        rates[side.name].push(result.rate);
      }
    }
  } finally {
    for (const contestant of running.values()) await contestant.end();
    receiver.kill();
    for (const { client } of [small, large]) await removeSent(client);
  }
  return `### Deliveries

The service’s own sender, which claims, signs, posts and records ${DELIVERIES.toLocaleString('en')} deliveries that are
due, to ${SUBSCRIPTIONS} receivers on the same machine; medians of ${ROUNDS} turns. ${medianOf(rates.small).toFixed()} a second where there
are hardly others, ${medianOf(rates.large).toFixed()} beside the deliveries, events and attempts of
${large.journeys.toLocaleString('en')} journeys: ${medianRatio(rates.small, rates.large).toFixed(2)} times as long (target: within 1.15).`;
}

/** A kept database would otherwise grow with each run; an interrupted run leaves some due. */
async function removeSent(client: Client): Promise<void> {
  for (const table of ['attempts', 'queue', 'deliveries', 'events', 'lanes', 'subscriptions']) {
    await client.query(`DELETE FROM webhook_${table} WHERE partner_id = 'bench'`);
  }
  await client.query('VACUUM ANALYZE webhook_deliveries, webhook_events, webhook_attempts');
}
