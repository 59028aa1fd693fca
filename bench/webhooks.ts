/**
 * Webhooks per second of the sender, end to end (claimed, signed, posted, recorded). The same run measures the same
 * signing and posting as jobs on the fastest queues, and in a bare loop. Also whether finished deliveries slow it down,
 * whether one or ten thousand hanging receivers delay others, and how soon an event arrives when idle. Takes about ten
 * minutes.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startBenchServer } from './support/bench-server.ts';
import { surroundings, writeReport } from './support/report.ts';
import { idleSection, neighbourSection } from './webhooks/delays.ts';
import type { Ground } from './webhooks/ground.ts';
import { hungSection } from './webhooks/hung.ts';
import { finishedSection, manySection, rateSection, ROUNDS, WARM_UP } from './webhooks/rates.ts';

export async function run(only?: string): Promise<void> {
  const server = await startBenchServer();
  const receiver = fork(fileURLToPath(new URL('webhooks/receiver.ts', import.meta.url)));
  try {
    const [{ ports }] = (await once(receiver, 'message')) as [{ ports: number[] }];
    const { url: serverUrl, dataDir } = server;
    const ground: Ground = { serverUrl, dataDir, receiver, receiverPorts: ports };
    const sections: string[] = [];
    for (const [name, section] of Object.entries(SECTIONS)) {
      if (only === undefined || only === name) sections.push(await section(ground));
    }
    process.stdout.write(`\n${sections.join('\n\n')}\n`);
    if (only === undefined) writeReport('webhooks', [HEAD(), ...sections].join('\n\n'));
  } finally {
    receiver.kill();
    await server.stop();
  }
}

const SECTIONS = {
  rate: rateSection,
  many: manySection,
  finished: finishedSection,
  neighbour: neighbourSection,
  hung: hungSection,
  idle: idleSection,
} as const;

const HEAD = () => `## Webhooks

${surroundings()}. All on one embedded PostgreSQL, each in a process and a database of its own, to a
receiver in a third process that answers at once; medians of ${ROUNDS} runs or more in turns, after a
warm-up of ${WARM_UP.toLocaleString('en')}. Only ratios from one run say anything. How it works:
[decision 13](../adr/0013-lease-lanes-not-deliveries.md).`;
