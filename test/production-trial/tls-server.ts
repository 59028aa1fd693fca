import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';

const TEXT_LIMIT = 100_000;

/** A required environment variable of a trial process. */
export function needed(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}.`);
  return value;
}

/** Listens with `TLS_CERT` and `TLS_KEY` until SIGTERM, and notifies its parent process. */
export function serveOverTls(port: number, listener: RequestListener, host = '127.0.0.1'): void {
  const cert = readFileSync(needed('TLS_CERT'));
  const key = readFileSync(needed('TLS_KEY'));
  const server = createServer({ cert, key }, listener);
  server.listen(port, host, () => {
    console.log(`listens at https://${host}:${port}`);
    process.send?.('ready');
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close(() => process.exit(0));
      server.closeAllConnections();
    });
  }
}

/** The body of a request. */
export async function textOf(request: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8').slice(0, TEXT_LIMIT);
}
