import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { sign } from './partner-client.ts';
import type { KeyCredentials } from './sandbox-credentials.ts';

export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const DEADLINE_MS = 10_000;
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Writes raw bytes, valid or not, to a service, and reads one response.
 * @throws Error if no complete response arrives in time, by default ten seconds
 */
export function sendBytes(
  baseUrl: string,
  bytes: string | Buffer,
  withinMs = DEADLINE_MS,
): Promise<WireAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received: Buffer = Buffer.alloc(0);
    const finish = () => {
      const answer = parsed(received);
      socket.destroy();
      if (answer) resolve(answer);
      else reject(new Error(`no whole answer: ${received.toString('latin1').slice(0, 300)}`));
    };
    socket.setTimeout(withinMs, finish);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (parsed(received)) finish();
    });
    // The service may close the connection while we still write; its earlier response counts.
    socket.on('error', () => {});
    socket.on('close', finish);
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  });
}

/** The signed headers as lines; header names are case-insensitive. */
export function signedLines(
  { apiKey, apiSecret }: KeyCredentials,
  method: string,
  target: string,
  body = '',
): string {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID();
  const signature = sign(apiSecret, { method, target, timestamp, nonce, body });
  return (
    `X-API-KEY: ${apiKey}\r\nX-Timestamp: ${timestamp}\r\nx-NONCE: ${nonce}\r\n` +
    `X-Signature: ${signature}\r\n`
  );
}

function parsed(received: Buffer): WireAnswer | null {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const [statusLine, ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = headEnd + HEAD_END.length;
  const length = Number(headers['content-length'] ?? 0);
  if (received.length < start + length) return null;
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: received.subarray(start, start + length),
  };
}
