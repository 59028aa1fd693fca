import type { ClientBase } from 'pg';

/** Ends a connection without a goodbye: on one where an answer never came, nobody may be there to take it. */
export function breakConnection(client: ClientBase): void {
  const { connection } = client as ClientBase & {
    readonly connection: { readonly stream: { destroy(): void } };
  };
  connection.stream.destroy();
}
