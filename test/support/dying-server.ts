import type { Socket } from 'node:net';
import { DatabaseProxy, postgresMessage } from './database-proxy.js';

const READY_FOR_QUERY = 0x5a;
const LAST_WORDS = postgresMessage(
  'E',
  'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0',
);

/**
 * PostgreSQL through a proxy that delivers its closing error together with a response. A busy caller sees this when its
 * server is killed.
 */
export class DyingServer extends DatabaseProxy {
  #answersLeft = Number.POSITIVE_INFINITY;

  endWithAnswer(count: number): void {
    this.#answersLeft = count;
  }

  protected override join(client: Socket, database: Socket): void {
    client.pipe(database);
    database.on('data', (bytes: Buffer) => {
      if (bytes.at(-6) === READY_FOR_QUERY) this.#answersLeft -= 1;
      if (this.#answersLeft > 0) return client.write(bytes);
      this.#answersLeft = Number.POSITIVE_INFINITY;
      return client.end(Buffer.concat([bytes, LAST_WORDS]));
    });
  }
}
