import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import type { Clock } from '../clock/clock.js';
import type { ErrorCode } from '../errors/error-catalogue.js';
import { Fault } from '../errors/fault.js';
import type { IdGenerator } from '../ids/id-generator.js';
import type { Environment } from '../config/environment.js';
import type { AddressLimiter } from './address-limiter.js';
import { docsOf } from './fault.filter.js';
import { rateLimitHeaders, sandboxTimeHeaders } from './response-headers.js';

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** For a client to read its refusal. */
const LINGER_MS = 2_000;

/** Covers control characters in headers, broken chunks, endless headers. Disconnects. */
export function answerUnreadableRequests(
  server: Server,
  {
    addresses,
    ids,
    clock,
    environment,
  }: {
    addresses: AddressLimiter;
    ids: IdGenerator;
    clock: Clock;
    environment: Pick<Environment, 'baseUrl'>;
  },
): void {
  const lastAnswers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => lastAnswers.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Prevents a second response, and writes to closed sockets.
    const isAnswered = hasAnswer(lastAnswers.get(socket));
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) {
      socket.destroy();
      return;
    }
    const address = socket instanceof Socket ? socket.remoteAddress : undefined;
    const { figures, refusal } = addresses.countUnreadable(address ?? 'unknown');
    const fault = refusal ?? new Fault(CODES[error.code ?? ''] ?? 'malformed_request');
    const requestId = ids.next('req');
    const body = JSON.stringify({
      success: false,
      error: fault.message,
      code: fault.code,
      requestId,
      docs: docsOf(fault.code, environment),
    });
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      ...rateLimitHeaders(figures),
      ...sandboxTimeHeaders(clock),
      ...(fault.retryAfterSeconds !== undefined && { 'Retry-After': fault.retryAfterSeconds }),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const status = `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\n`;
    socket.end(`${status}${lines.join('')}\r\n${body}`);
    // Closing at once would discard the response of a client that is still sending.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
}

/** True also for a partial response. */
function hasAnswer(answer: ServerResponse | undefined): boolean {
  return answer?.headersSent === true && !(answer.writableFinished && answer.req.complete);
}

const withoutTarget = new WeakSet<IncomingMessage>();

/** Express answers an unparsable target (`http://[`) with an HTML page. */
export function askForTarget(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  withoutTarget.add(request);
  request.url = '/';
  serve(request, response);
}

export function requireTarget(request: Request, _response: Response, next: NextFunction): void {
  const message = 'The URL is malformed';
  next(withoutTarget.has(request) ? new Fault('malformed_request', { message }) : undefined);
}

/** HTTP/1.1 requires exactly one (RFC 9112, section 3.2); older versions none. */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  const { length } = request.headersDistinct.host ?? [];
  const isRight = length === 1 || (length === 0 && request.httpVersion !== '1.1');
  const message = length === 0 ? 'The Host header is missing' : 'The Host header must be sent once';
  next(isRight ? undefined : new Fault('malformed_request', { message }));
}
