import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { type LogFn, type Logger, pino } from 'pino';
import type { Environment } from '../config/environment.js';
import type { RawRequest } from '../http/raw-request.js';
import { maskedPath } from './masked-path.js';
import { serializeError } from './serialize-error.js';
import { terminalStream } from './terminal-lines.js';

const WIRING: ReadonlySet<unknown> = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
]);

/**
 * Structured logs on standard output: no headers, no bodies, no queries, no tokens. A person at a terminal gets them
 * as lines to read.
 */
export function loggingModule(environment: Environment): DynamicModule {
  return LoggerModule.forRoot({
    pinoHttp: {
      level: environment.logLevel,
      hooks: { logMethod: wiringAtDebug },
      ...(environment.isTerminal && { stream: terminalStream(process.stdout) }),
      genReqId: (request: IncomingMessage) => (request as RawRequest).requestId,
      customLogLevel: (_request: IncomingMessage, response: ServerResponse, error?: Error) =>
        error || isUnexpected(response.statusCode) ? 'error' : 'debug',
      serializers: {
        req: ({ id, method, url }: { id: string; method: string; url: string }) => ({
          id,
          method,
          path: maskedPath(url),
        }),
        res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
        err: (error: unknown) => serializeError(error),
      },
      wrapSerializers: false,
    },
  });
}

/** How Nest wires itself is for whoever looks for a mistake in it: some 300 lines of every start. */
function wiringAtDebug(this: Logger, args: Parameters<LogFn>, log: LogFn, level: number): void {
  const [about] = args as [{ context?: unknown } | undefined];
  const isWiring = level === this.levels.values.info && WIRING.has(about?.context);
  (isWiring ? this.debug : log).apply(this, args);
}

/** A 503 has its cause logged where it is known; a line for each call of an outage is too much. */
function isUnexpected(status: number): boolean {
  return status >= 500 && status !== 503;
}

/** Writes lines of the log before there is an application that has one. */
export function bootLog(
  { logLevel, isTerminal }: Pick<Environment, 'logLevel' | 'isTerminal'>,
  context: string,
): (line: string) => void {
  const options = { level: logLevel };
  const logger = isTerminal ? pino(options, terminalStream(process.stdout)) : pino(options);
  return (line) => logger.info({ context }, line);
}
