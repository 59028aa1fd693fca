import type { Readable } from 'node:stream';

/**
 * Reads a body as it comes and lets go of it at the cap, so that an endless one costs neither memory
 * nor time. The stream is used up or destroyed afterwards.
 */
export async function readCapped(body: Readable, mostBytes: number): Promise<Buffer> {
  // Destroying a body half way is reported as an error of its own, of which nobody need know.
  body.on('error', () => undefined);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= mostBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, mostBytes);
}
