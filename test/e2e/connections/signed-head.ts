import { randomUUID } from 'node:crypto';

interface Head {
  readonly length?: number;
  readonly more?: string;
}

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
