import { writeFileSync } from 'node:fs';
import { type Options, readOptions, USAGE } from './options.ts';
import { junitReport } from './report/junit.ts';
import { signedReport } from './report/signed-json.ts';
import { terminalReport } from './report/terminal.ts';
import { runCommand } from './restart-command.ts';
import { type Outcome, runSuite } from './suite.ts';
import { ownKeys } from './wire/own-keys.ts';

const PASSED = 0;
const FAILED = 1;
const NOT_STARTED = 2;
const INCOMPLETE = 3;
const REPLAY_AFTER_S = 60;

async function main(options: Options): Promise<number> {
  const keys = await ownKeys(options.keyFile);
  const tell = (text: string) => console.error(text);
  const { restartCommand } = options;
  const restart = restartCommand === null ? null : () => runCommand(restartCommand);
  const replayAfterSeconds = REPLAY_AFTER_S;
  const parts = { ownKeys: keys, replayAfterSeconds, restart, tell, onResult: progress };
  const outcome = await runSuite({ ...options, ...parts });
  console.error('');
  console.log(terminalReport(outcome));
  if (options.junit) writeFileSync(options.junit, junitReport(outcome));
  const [key] = keys;
  if (options.json && key) writeFileSync(options.json, `${await signedReport(outcome, key)}\n`);
  return exitCode(outcome);
}

function progress({ status }: { status: string }): void {
  process.stderr.write(status === 'PASSED' ? '.' : status === 'FAILED' ? 'F' : '-');
}

function exitCode({ results, unexplained }: Outcome): number {
  if (results.some(({ status }) => status === 'FAILED')) return FAILED;
  return unexplained.length > 0 ? INCOMPLETE : PASSED;
}

try {
  process.exitCode = await main(readOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(`\n${USAGE}`);
  process.exitCode = NOT_STARTED;
}
