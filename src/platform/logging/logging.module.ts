import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { type LogFn, type Logger, pino } from 'pino';
import type { Environment } from '../config/environment.js';
import type { RawRequest } from '../http/partner-routes.js';
import { hasIdentityWord, maskIdentityWords } from '../validation/personal-data-masks.js';

const LONGEST_ID = 40;

/** Omits the query, link tokens, and segments with a PAN or mobile number. */
export function maskedPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.split('/').map(maskedSegment).join('/');
}

function maskedSegment(segment: string): string {
  if (segment.length > LONGEST_ID) return ':token';
  return hasIdentityWord(decoded(segment)) ? ':masked' : segment;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

interface SerializedError {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  cause?: SerializedError;
}

const MAX_CAUSES = 4;

/** A database error carries parameters, which are personal data. */
export function serializeError(error: unknown, depth = 0): SerializedError | undefined {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return undefined;
  const { code } = error as { code?: unknown };
  const cause = serializeError(error.cause, depth + 1);
  return {
    type: error.name,
    message: maskIdentityWords(error.message),
    ...(error.stack !== undefined && { stack: maskIdentityWords(error.stack) }),
    ...(typeof code === 'string' && { code }),
    ...(cause && { cause }),
  };
}

interface LogLine {
  readonly level: number;
  readonly time: number;
  readonly context?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'ERROR',
  60: 'FATAL',
};

/** Other text is unchanged. */
function terminalLine(json: string): string {
  let line: LogLine;
  try {
    line = JSON.parse(json) as LogLine;
  } catch {
    return json;
  }
  const { level, time, context, msg, err } = line;
  const clock = new Date(time).toISOString().slice(11, 19);
  const words = [context, msg ?? err?.message].filter((word) => word !== undefined).join(': ');
  const stack = err?.stack === undefined ? '' : `\n${err.stack}`;
  return `${clock} ${LEVELS[level] ?? level} ${words}${stack}\n`;
}

function terminalStream(output: Pick<NodeJS.WriteStream, 'write'>) {
  return {
    write: (line: string): void => {
      output.write(terminalLine(line));
    },
  };
}

const WIRING: ReadonlySet<unknown> = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
]);

/** Logs no headers, bodies, queries or tokens; on a terminal, plain lines. */
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

/** About 300 lines at each start. */
function wiringAtDebug(this: Logger, args: Parameters<LogFn>, log: LogFn, level: number): void {
  const [about] = args as [{ context?: unknown } | undefined];
  const isWiring = level === this.levels.values.info && WIRING.has(about?.context);
  (isWiring ? this.debug : log).apply(this, args);
}

/** Another component logs the cause of a 503. */
function isUnexpected(status: number): boolean {
  return status >= 500 && status !== 503;
}

export function bootLog(
  { logLevel, isTerminal }: Pick<Environment, 'logLevel' | 'isTerminal'>,
  context: string,
): (line: string) => void {
  const options = { level: logLevel };
  const logger = isTerminal ? pino(options, terminalStream(process.stdout)) : pino(options);
  return (line) => logger.info({ context }, line);
}
