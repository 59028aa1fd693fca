import { type Connection, Query } from 'pg';

/** What the driver's own `Query` uses of a connection. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** `COPY … FROM STDIN` and what it reads, sent as one piece. */
export class CopyIn extends Query {
  constructor(
    sql: string,
    private readonly bytes: Buffer,
    /** As the driver names it. */
    readonly query_timeout: number,
  ) {
    super(sql);
  }

  /** The driver's own knows of nothing to send. */
  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.bytes);
    connection.endCopyFrom();
  }
}
