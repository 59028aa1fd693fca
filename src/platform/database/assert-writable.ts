import type { QueryConfig } from 'pg';
import { READ_ONLY } from './connection-lost.js';

interface Connection {
  query(query: QueryConfig): Promise<{ rows: unknown[] }>;
}

/** A session that would refuse every write. */
class ReadOnlyDatabaseError extends Error {
  readonly code = READ_ONLY;

  constructor() {
    super('a standby, or a server that is set to refuse writes');
    this.name = 'ReadOnlyDatabaseError';
  }
}

/**
 * @throws Error that `isConnectionLost` knows when the session takes no writes (on a standby the
 *   setting says so, too), or when it says nothing within so many milliseconds
 */
export async function assertWritable(connection: Connection, withinMs: number): Promise<void> {
  const { rows } = await connection.query({
    text: `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
    query_timeout: withinMs,
  } as QueryConfig);
  if ((rows[0] as { isReadOnly: boolean }).isReadOnly) throw new ReadOnlyDatabaseError();
}
