import { startLenders } from './lender-process.ts';
import { readSettings, type Settings } from './settings.ts';
import { REAL_WORLD } from './world.ts';
import type { LenderProcess } from './lender-process.ts';

function describe({ lenders, adminUrl }: LenderProcess, settings: Settings): string {
  const { rinpathKeys, rinpathAnswers } = settings;
  const entries = lenders.map(
    ({ code, name, kind, url }) => `  - code: ${code}
    name: ${name}
    kind: ${kind}
    adapter: rlp
    remote:
      address: ${url}
      jwks: ${url}/jwks.json`,
  );
  return `${lenders.length} lenders are ready.

Add this to Rinpath's configuration, with the terms of each lender:

lenders:
${entries.join('\n')}

Rinpath's keys are read at  ${rinpathKeys}
Answers are sent to         ${rinpathAnswers ?? 'no address: Rinpath must ask'}
For the operator            ${adminUrl}/books and ${adminUrl}/faults
The books are in            ${settings.databaseFile}`;
}

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const lenders = await startLenders(settings, REAL_WORLD);
  console.log(describe(lenders, settings));
  const stop = () => void lenders.stop().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  // For a parent process.
  process.send?.('ready');
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
