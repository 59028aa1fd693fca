/**
 * Remote lenders: how fast a journey gets the offers of three of them, compared with simulated ones in the same run.
 * Also measures whether a hanging lender slows the others. The lenders are the reference lender (examples/lender) in a
 * separate process. `LENDERS_ROUNDS` sets the rounds of the second part.
 */
import { hangingSection } from './lenders/hanging.ts';
import { offersSection } from './lenders/offers.ts';
import { startBenchServer } from './support/bench-server.ts';
import { surroundings, writeReport } from './support/report.ts';

const SECTIONS: Record<string, (serverUrl: string) => Promise<string>> = {
  offers: offersSection,
  hanging: hangingSection,
};

export async function run(only?: string): Promise<void> {
  const server = await startBenchServer();
  try {
    const sections: string[] = [];
    for (const [name, section] of Object.entries(SECTIONS)) {
      if (only === undefined || only === name) sections.push(await section(server.url));
    }
    process.stdout.write(`\n${sections.join('\n\n')}\n`);
    if (only === undefined) writeReport('lenders', [head(), ...sections].join('\n\n'));
  } finally {
    await server.stop();
  }
}

function head(): string {
  return `## Lenders outside the process

${surroundings()}. One process of the built service on embedded PostgreSQL; the three lenders are the [reference
lender](../../examples/lender/README.md), in one process of their own with its books in memory, asked over [RLP](../lenders/README.md): each call and each
answer is signed and checked. Client, service, lenders and database share the machine.`;
}
