import { EventEmitter } from 'node:events';
import { Client, Pool, type PoolConfig } from 'pg';
import { describe, expect, it } from 'vitest';
import { dataSourceOptions } from './data-source.js';

const SETTINGS = { url: 'postgres://nobody@127.0.0.1:1/nowhere', entities: [], migrations: [] };

/** Says whether it takes writes when it is told to. Of one that takes none the end comes with its stream's alone. */
class SlowClient extends EventEmitter {
  static readonly asked: ((isReadOnly: boolean) => void)[] = [];
  readonly _queryable = true;
  private isMute = false;
  readonly connection = { stream: { destroy: () => (this.isMute = false) } };

  connect(callback: () => void): void {
    callback();
  }

  query(): Promise<{ rows: unknown[] }> {
    return new Promise((resolve) => {
      SlowClient.asked.push((isReadOnly) => {
        this.isMute = isReadOnly;
        resolve({ rows: [{ isReadOnly }] });
      });
    });
  }

  end(callback: () => void): void {
    if (!this.isMute) callback();
  }
}

function pool(): Pool {
  const { extra } = dataSourceOptions({ ...SETTINGS, poolSize: 1 });
  const options: PoolConfig = { ...extra, max: 1, connectionTimeoutMillis: 200 };
  options.Client = SlowClient as unknown as typeof Client;
  return new Pool(options);
}

/** Answers the next connection that is asked, once it is. */
async function answerNext(isReadOnly = false): Promise<void> {
  while (SlowClient.asked.length === 0) await new Promise(setImmediate);
  SlowClient.asked.shift()?.(isReadOnly);
  await new Promise(setImmediate);
}

describe('a connection that is looked at before it is used', () => {
  it('stays with the pool when whoever waited for it has given up by then', async () => {
    const connections = pool();
    const first = connections.connect();
    await answerNext();
    const waiting = connections.connect();
    (await first).release(true);
    await expect(waiting).rejects.toThrow('timeout exceeded');
    await answerNext();
    expect([connections.totalCount, connections.idleCount]).toEqual([1, 1]);
    await connections.end();
  });

  it('is broken off when it takes no writes: whoever waited hears so, and the next one waits for none', async () => {
    const connections = pool();
    const refused = connections.connect().catch((error: unknown) => error);
    await answerNext(true);
    expect(await refused).toMatchObject({ name: 'ReadOnlyDatabaseError' });
    const next = connections.connect();
    await answerNext();
    (await next).release();
    await connections.end();
  });
});
