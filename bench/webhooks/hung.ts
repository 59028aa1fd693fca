import { once } from 'node:events';
import { createDatabase } from '../support/create-database.ts';
import { table } from '../support/report.ts';
import { askReceiver } from './delays.ts';
import { answerOf, forkWith, type Ground } from './ground.ts';
import type { HungOrder, HungPhase } from './hung-timed.ts';

const ENDPOINTS = 10_000;

type Given = Pick<HungOrder, 'partners' | 'path' | 'hasSucceeded'>;

const KINDS: readonly (readonly [name: string, given: Given])[] = [
  ['that hang, of 1 partner', { partners: 1, path: 'hang', hasSucceeded: false }],
  ['that hang, of 20', { partners: 20, path: 'hang', hasSucceeded: false }],
  ['that hang, of 200', { partners: 200, path: 'hang', hasSucceeded: false }],
  ['that answered before and hang, of 20', { partners: 20, path: 'hang', hasSucceeded: true }],
  ['that answer after 4.9 s, of 1', { partners: 1, path: 'slow', hasSucceeded: false }],
  ['that answer after 4.9 s, of 20', { partners: 20, path: 'slow', hasSucceeded: false }],
  ['that answer after 4.9 s, of 200', { partners: 200, path: 'slow', hasSucceeded: false }],
  ['that trickle their bodies, of 1', { partners: 1, path: 'trickle', hasSucceeded: false }],
  ['that trickle their bodies, of 20', { partners: 20, path: 'trickle', hasSucceeded: false }],
  ['that trickle their bodies, of 200', { partners: 200, path: 'trickle', hasSucceeded: false }],
];

/** The delay of a healthy partner's events beside thousands of hanging endpoints. */
export async function hungSection(ground: Ground): Promise<string> {
  const rows: string[][] = [];
  for (const [index, [name, given]] of KINDS.entries()) {
    const { known, fresh } = await beside(ground, `hung_${index}`, given);
    rows.push([name, ...figures(known), ...figures(fresh)]);
    process.stdout.write(`${rows.at(-1)?.join(' | ')}\n`);
  }
  return `### Beside ${ENDPOINTS.toLocaleString('en')} endpoints that hang

Milliseconds from just before an event’s commit to its receiver, of events for an endpoint that has
answered before, one every 100 ms, and of the first event for each of 20 that were just registered, each
of a partner of its own (target: 1,000 at most). How: [decision 17](../adr/0017-share-delivery-slots-by-partner.md).

${table(['beside endpoints', 'median', 'most', 'new: median', 'new: most'], rows)}`;
}

async function beside(
  ground: Ground,
  name: string,
  given: Given,
): Promise<{ known: number[]; fresh: number[] }> {
  const databaseUrl = await createDatabase(ground.serverUrl, name);
  const order: HungOrder = {
    ...given,
    databaseUrl,
    receiverPorts: ground.receiverPorts,
    endpoints: ENDPOINTS,
  };
  const child = forkWith('hung-timed.ts', { HUNG: JSON.stringify(order) });
  await answerOf(child);
  const delaysOf = async (phase: HungPhase) => {
    await askReceiver(ground, 'begin');
    child.send(phase);
    const [{ hasSent }] = (await answerOf(child)) as [{ hasSent: boolean }];
    const { delays } = await askReceiver(ground, 'end');
    return hasSent ? delays.map((micros) => micros / 1_000) : [...delays, Number.POSITIVE_INFINITY];
  };
  const known = await delaysOf('known');
  const fresh = await delaysOf('new');
  child.send('end' satisfies HungPhase);
  await once(child, 'exit');
  return { known, fresh };
}

function figures(delays: readonly number[]): string[] {
  const sorted = delays.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return [median, sorted.at(-1) ?? Number.NaN].map((ms) => ms.toFixed());
}
