import { randomUUID } from 'node:crypto';

interface Head {
  /** Content-Length; left out: a body in chunks. */
  readonly length?: number;
  /** Further lines, each ended by CR LF. */
  readonly more?: string;
}

/** The head of a request that names a well-formed key, which nobody has, and a well-formed signature. */
export function signedHead(
  method: string,
  target: string,
  { length, more = '' }: Head = {},
): string {
  const size = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return (
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${size}\r\nx-api-key: rinpath_test_nobody\r\n` +
    `x-timestamp: ${Math.floor(Date.now() / 1_000)}\r\nx-nonce: ${randomUUID()}\r\n` +
    `x-signature: ${'a'.repeat(64)}\r\n${more}\r\n`
  );
}
