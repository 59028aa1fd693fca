import { createServer } from 'node:net';

// Below Linux's range for outgoing connections: a client of a parallel test must not take a free port.
const LOWEST = 20_000;
const MAX_TRIES = 50;

// One range of ports per worker, and one for other programs. A free port is used only seconds later, and no other test
// may find it meanwhile.
const SHARES = 6;
const PORTS = 2_000;
const share = Number(process.env['VITEST_POOL_ID'] ?? 0) % SHARES;
let next = Math.floor(Math.random() * PORTS);

/** A free port on 127.0.0.1, for servers that must know their port before they listen. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const port = LOWEST + share * PORTS + next;
    next = (next + 1) % PORTS;
    if (await isFree(port)) return port;
  }
  throw new Error('no free port was found');
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
