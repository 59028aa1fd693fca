/**
 * Clients without a key that search endlessly, in a separate process that gets the port, the number of clients and
 * whether they read. A reader repeats at each response. Any other sends 16 at once, and again on a new connection five
 * seconds later. Closed connections are reopened.
 */
import { connect } from 'node:net';

const UNREAD_REQUESTS = 16;
const REOPEN_MS = 50;
const UNREAD_MS = 5_000;
const PREFIXES = ['si', 'in', 'th', 're', 'co', 'pa', 'st', 'jo', 'le', 'of'];

const [port, clients, reads] = process.argv.slice(2).map(Number);
let asked = 0;

/** A new combination of words for each search. */
function search(): string {
  asked += 1;
  const prefix = (place: number) => PREFIXES[Math.floor(asked / 10 ** place) % 10];
  const words = [0, 1, 2, 3].map(prefix).join('+');
  return `GET /docs/search?q=${words}+${asked} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

function open(): void {
  const socket = connect({ port: port ?? 0, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.once('close', () => setTimeout(open, REOPEN_MS));
  if (!reads) {
    socket.pause();
    socket.write(Array.from({ length: UNREAD_REQUESTS }, search).join(''));
    setTimeout(() => socket.destroy(), UNREAD_MS);
    return;
  }
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    const head = received.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
    if (head < 0 || received.length < head + 4 + length) return;
    received = '';
    socket.write(search());
  });
  socket.write(search());
}

for (let client = 0; client < (clients ?? 0); client += 1) open();
