import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { parse, stringify } from 'yaml';
import { withAdminContext } from '../../../src/admin/admin-context.js';
import { type ApplyResult, ConfigurationApplier } from '../../../src/admin/index.js';
import { parseEnvironment } from '../../../src/platform/index.js';
import { SCHEMA } from '../../../src/schema.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { TEST_MASTER_KEY } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

interface KeyItem {
  name: string;
  apiKey: string;
  apiSecret: string;
  limits?: { perMinute?: number; perDay?: number };
  [field: string]: unknown;
}

interface File {
  version: number;
  brand: Record<string, unknown>;
  products: Record<string, unknown>[];
  lenders: Record<string, unknown>[];
  partners: { id: string; status?: string; keys: KeyItem[]; [field: string]: unknown }[];
}

export interface KeyState {
  id: string;
  name: string;
  status: string;
  version: number;
  minute_limit: number;
}

const SHIPPED = shippedConfiguration();
const TABLES = [
  'configuration',
  'products',
  'lenders',
  'partners',
  'api_keys',
  'api_key_windows',
] as const;

/**
 * Administration commands for a spec file; call it once at the top. One context serves the whole file. Every test
 * starts with the shipped file in force, as on a new database.
 */
export function configurationTests(use: (bench: ConfigurationBench) => void): void {
  let bench: ConfigurationBench | undefined;
  beforeAll(async () => {
    bench = await ConfigurationBench.open();
    use(bench);
  });
  beforeEach(() => bench?.beginAnew());
  afterAll(() => bench?.close());
}

/** Runs commands, and holds the file that a test changes and applies. */
export class ConfigurationBench {
  /** The file that `apply` applies; a test changes it. */
  file: File;
  context: INestApplicationContext;
  readonly client: pg.Client;
  private readonly directory = mkdtempSync(join(tmpdir(), 'rinpath-configuration-'));
  private finish: () => void;
  private finished: Promise<void>;

  private constructor(private readonly database: TestDatabase) {
    this.client = new pg.Client({ connectionString: database.url });
  }

  static async open(): Promise<ConfigurationBench> {
    const bench = new ConfigurationBench(await createTestDatabase());
    await bench.client.connect();
    await bench.openContext();
    return bench;
  }

  private async openContext(): Promise<void> {
    const environment = parseEnvironment({
      DATABASE_URL: this.database.url,
      DATA_DIR: this.directory,
      MASTER_KEY: TEST_MASTER_KEY,
    });
    await new Promise<void>((ready, failed) => {
      const work = (opened: INestApplicationContext) => {
        this.context = opened;
        ready();
        return new Promise<void>((resolve) => (this.finish = resolve));
      };
      this.finished = withAdminContext(environment, SCHEMA, { kind: 'CHANGES', work });
      this.finished.catch(failed);
    });
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  async close(): Promise<void> {
    this.finish();
    await this.finished;
    await this.client.end();
    await this.database.drop();
    rmSync(this.directory, { recursive: true });
  }

  async beginAnew(): Promise<void> {
    // Bypasses the trigger that prevents emptying the matching log.
    await this.client.query('SET session_replication_role = replica');
    await this.client.query(`TRUNCATE ${TABLES.join(', ')} CASCADE`);
    await this.client.query('RESET session_replication_role');
    this.file = JSON.parse(JSON.stringify(parse(SHIPPED))) as File;
    await this.apply();
  }

  apply(): Promise<ApplyResult> {
    const path = join(this.directory, 'file.yaml');
    writeFileSync(path, stringify(this.file));
    return this.context.get(ConfigurationApplier).apply(path, SANDBOX_DEPLOYMENT);
  }

  async keys(): Promise<Record<string, KeyState>> {
    const { rows } = await this.client.query<KeyState>(
      'SELECT id, name, status, version, minute_limit FROM api_keys ORDER BY id',
    );
    return Object.fromEntries(rows.map((row) => [row.name, row]));
  }

  async one<Value>(sql: string): Promise<Value> {
    const { rows } = await this.client.query<{ value: Value }>(sql);
    return rows[0].value;
  }

  async everything(): Promise<unknown> {
    const contents = [];
    for (const table of TABLES) {
      const { rows } = await this.client.query(`SELECT t.* FROM ${table} AS t ORDER BY t::text`);
      contents.push(rows);
    }
    return contents;
  }

  async revision(): Promise<number> {
    return Number(await this.one('SELECT revision AS value FROM configuration'));
  }
}
