import { Database } from '../../src/platform/index.js';
import { afterThisFile } from './after-file.js';
import type { TestService } from './service.js';
import { isShared } from './shared-service.js';

const REREAD_MS = 1_001;
const TABLES = ['configuration', 'products', 'lenders'];

let isChanged = false;

/** Changes configuration tables and lets the service read them again. */
export async function configure(
  service: TestService,
  sql: string,
  values: unknown[] = [],
): Promise<void> {
  const database = service.get<Database>(Database);
  if (isShared(service) && !isChanged) {
    isChanged = true;
    afterThisFile(await restoring(service, database));
  }
  await database.query(sql, values);
  await reread(service, database);
}

async function restoring(service: TestService, database: Database): Promise<() => Promise<void>> {
  const before = await Promise.all(
    TABLES.map(async (table) => {
      const [{ rows }] = await database.query<{ rows: unknown[] }>(
        `SELECT jsonb_agg(to_jsonb(t)) AS rows FROM ${table} AS t`,
      );
      return { table, rows };
    }),
  );
  return async () => {
    isChanged = false;
    const [{ revision }] = await database.query<{ revision: string }>(
      'SELECT revision FROM configuration',
    );
    await database.transaction(async (tx) => {
      for (const { table, rows } of before) {
        await tx.execute(`DELETE FROM ${table}`);
        await tx.execute(
          `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`,
          [JSON.stringify(rows)],
        );
      }
      await tx.execute('UPDATE configuration SET revision = $1', [revision]);
    });
    await reread(service, database);
  };
}

async function reread(service: TestService, database: Database): Promise<void> {
  await database.query('UPDATE configuration SET revision = revision + 1');
  await service.travel(REREAD_MS);
}
