import type { Socket } from 'node:net';
import { DatabaseProxy, postgresMessage } from './database-proxy.js';

const READY_FOR_QUERY = 0x5a;
const IDLE = 0x49;
const RESET = postgresMessage('Q', 'DISCARD ALL\0');

/**
 * Resets the session after each transaction, as PgBouncer in transaction mode does when it assigns another
 * connection. Settings, locks, prepared statements and temporary tables are lost.
 */
export class TransactionPooler extends DatabaseProxy {
  changes = 0;

  protected override join(client: Socket, database: Socket): void {
    client.pipe(database);
    let rest = Buffer.alloc(0);
    let isResetting = false;
    database.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const message = rest.subarray(0, rest.readUInt32BE(1) + 1);
        rest = rest.subarray(message.length);
        const isIdle = message[0] === READY_FOR_QUERY && message[5] === IDLE;
        // The client gets READY only after the reset.
        if (isIdle && !isResetting) database.write(RESET);
        else if (isIdle || !isResetting) client.write(message);
        if (isIdle) isResetting = !isResetting;
        if (isIdle && isResetting) this.changes += 1;
      }
    });
  }
}
