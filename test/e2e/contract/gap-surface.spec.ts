import { beforeAll, describe, expect, it } from 'vitest';
import { Database, ERROR_CATALOGUE } from '../../../src/platform/index.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

let sandbox: TestService;

beforeAll(async () => {
  sandbox = await sharedService();
});

describe('the codes of errors', () => {
  it('are in snake case, all of them', () => {
    const codes = Object.keys(ERROR_CATALOGUE);
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
  });
});

describe('nonces and counts', () => {
  it('stand in tables that survive a crash of PostgreSQL', async () => {
    const rows = await sandbox.get<Database>(Database).query(
      `SELECT relname AS name, relpersistence AS kept FROM pg_class
       WHERE relname IN ('request_nonces', 'api_key_windows') ORDER BY relname`,
    );
    expect(rows).toEqual([
      { name: 'api_key_windows', kept: 'p' },
      { name: 'request_nonces', kept: 'p' },
    ]);
  });
});
