import { Client, type QueryConfig } from 'pg';
import { vi } from 'vitest';

/** A statement that its connection keeps under a name. */
export interface KeptStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Those that are sent while `work` goes on, each once. */
export async function keptStatements(work: () => Promise<void>): Promise<KeptStatement[]> {
  const query = vi.spyOn(Client.prototype, 'query');
  try {
    await work();
    const sent = query.mock.calls.map(([config]) => config as unknown as QueryConfig);
    const kept = sent.filter((config) => config?.name !== undefined);
    const byName = new Map(kept.map(({ name, text, values = [] }) => [name, { text, values }]));
    return [...byName].map(([name, { text, values }]) => ({ name: name!, text, values }));
  } finally {
    query.mockRestore();
  }
}
