import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProtocolError } from './protocol-error.ts';

/** The protocol's limit. */
export const MAX_BODY_BYTES = 256 * 1024;

/** @throws ProtocolError 413 as soon as the body exceeds the limit */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays open, so that the caller gets the response.
  const iterator = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of iterator) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      throw new ProtocolError(413, 'body_too_large', 'The body is larger than 256 KB.');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = `${JSON.stringify(body, null, 2)}\n`;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(text);
}

/** The path without the query, for any target. */
export function pathOf(request: IncomingMessage): string {
  const [path = ''] = (request.url ?? '').split('?');
  return path;
}
