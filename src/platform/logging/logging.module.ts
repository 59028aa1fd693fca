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

/** Logs to standard output without headers, bodies, queries and tokens; as plain lines on a terminal. */
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

/** Some 300 lines of every start. */
function wiringAtDebug(this: Logger, args: Parameters<LogFn>, log: LogFn, level: number): void {
  const [about] = args as [{ context?: unknown } | undefined];
  const isWiring = level === this.levels.values.info && WIRING.has(about?.context);
  (isWiring ? this.debug : log).apply(this, args);
}

/** The cause of a 503 is logged elsewhere; one line per call would be too much. */
function isUnexpected(status: number): boolean {
  return status >= 500 && status !== 503;
}

/** Logs before there is an application. */
export function bootLog(
  { logLevel, isTerminal }: Pick<Environment, 'logLevel' | 'isTerminal'>,
  context: string,
): (line: string) => void {
  const options = { level: logLevel };
  const logger = isTerminal ? pino(options, terminalStream(process.stdout)) : pino(options);
  return (line) => logger.info({ context }, line);
}
