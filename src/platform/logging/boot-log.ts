import { pino } from 'pino';
import type { Environment } from '../config/environment.js';
import { terminalStream } from './terminal-lines.js';

/** Writes lines of the log before there is an application that has one. */
export function bootLog(
  { logLevel, isTerminal }: Pick<Environment, 'logLevel' | 'isTerminal'>,
  context: string,
): (line: string) => void {
  const options = { level: logLevel };
  const logger = isTerminal ? pino(options, terminalStream(process.stdout)) : pino(options);
  return (line) => logger.info({ context }, line);
}
