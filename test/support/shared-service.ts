import { afterEach, beforeAll, vi } from 'vitest';
import { makeApiKey, makeApiSecret } from '../../src/auth/key-format.js';
import { KEY_SECRET_PURPOSE } from '../../src/auth/partner-key.js';
import { Database, Keyring, RandomSource, sha256 } from '../../src/platform/index.js';
import { SandboxTime } from '../../src/sandbox/index.js';
import { afterThisFile } from './after-file.js';
import { mayStay } from './left-behind.js';
import { endLeftWork } from './left-work.js';
import { type OwnService, startService, type TestService, travelOfBoth } from './service.js';

export interface SharedReplicas {
  readonly first: TestService;
  readonly second: TestService;
  travel(milliseconds: number): Promise<void>;
}

const AHEAD_AT_MOST_MS = 3_600_000;

const COPIED = {
  partners: `id = 'demo'`,
  partner_logos: `partner_id = 'demo'`,
  api_keys: `partner_id = 'demo' AND name = 'demo-load'`,
};

interface Running {
  readonly service: OwnService;
  readonly copied: readonly (readonly [keyof typeof COPIED, readonly object[]])[];
}

let running: Promise<Running> | undefined;
let baseUrl: string | undefined;
let isUsedByFile = false;
let partners = 0;

/** The service that every spec file of this worker shares, on the shipped configuration. */
export async function sharedService(): Promise<TestService> {
  running ??= start();
  const current = await running;
  const service: TestService = current.service;
  if (!isUsedByFile) {
    isUsedByFile = true;
    // Registered first, so it runs last: the file's other work still needs the service.
    afterThisFile(() => endFile(current));
    // An earlier file may have moved the time in the database only.
    await service.get<SandboxTime>(SandboxTime).follow();
  }
  const own = await addPartner(current);
  afterThisFile(() => endLeftWork(current.service.get<Database>(Database), own.partnerId));
  return { ...service, ...own };
}

/** The same for a spec file, from its first hook on; what a test has mocked is restored after it. */
export function serviceOfFile(): TestService {
  const service = {} as TestService;
  beforeAll(async () => void Object.assign(service, await sharedService()));
  afterEach(() => void vi.restoreAllMocks());
  return service;
}

/** Whether other files of the worker have this service, too. */
export function isShared(service: TestService): boolean {
  return service.baseUrl === baseUrl;
}

/** The shared service and a second one on its database, which ends with the file. */
export async function sharedReplicas(): Promise<SharedReplicas> {
  const shared = await sharedService();
  const { databaseUrl, partnerId, credentials } = shared;
  const own = await startService({ databaseUrl });
  afterThisFile(() => own.close());
  const travel = travelOfBoth(shared, own);
  const first: TestService = { ...shared, travel };
  return { first, second: { ...own, partnerId, credentials, travel }, travel };
}

async function endFile({ service }: Running): Promise<void> {
  isUsedByFile = false;
  const aheadMs = Math.abs(service.now().getTime() - Date.now());
  if (aheadMs <= AHEAD_AT_MOST_MS) return;
  running = undefined;
  baseUrl = undefined;
  await service.close();
  mayStay('TCPServerWrap', -1);
}

async function start(): Promise<Running> {
  // As behind a proxy, so that a test's browser may have its own address.
  const service = await startService({ environment: { TRUST_PROXY: '1' } });
  mayStay('TCPServerWrap');
  ({ baseUrl } = service);
  const database = service.get<Database>(Database);
  const copied = await Promise.all(
    (Object.keys(COPIED) as (keyof typeof COPIED)[]).map(async (table) => {
      const rows = await database.query<{ row: object }>(
        `SELECT to_jsonb(t) AS row FROM ${table} AS t WHERE ${COPIED[table]}`,
      );
      return [table, rows.map(({ row }) => row)] as const;
    }),
  );
  return { service, copied };
}

async function addPartner({
  service,
  copied,
}: Running): Promise<Pick<TestService, 'partnerId' | 'credentials'>> {
  partners += 1;
  const partnerId = `spec-${partners}`;
  const random = service.get<RandomSource>(RandomSource);
  const credentials = {
    apiKey: makeApiKey('rinpath', 'test', random),
    apiSecret: makeApiSecret('rinpath', 'test', random),
  };
  const sealed = service.get<Keyring>(Keyring).seal(credentials.apiSecret, KEY_SECRET_PURPOSE);
  const own: Record<keyof typeof COPIED, object> = {
    partners: { id: partnerId },
    partner_logos: { partner_id: partnerId },
    api_keys: {
      id: `key_${partnerId}`,
      partner_id: partnerId,
      key_hash: sha256(credentials.apiKey),
      secret_sealed: sealed,
      // Otherwise a replica that applies the file would revoke it.
      origin: 'COMMAND',
    },
  };
  for (const [table, rows] of copied) {
    for (const row of rows) {
      await service
        .get<Database>(Database)
        .query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1)`, [
          JSON.stringify({ ...row, ...own[table] }),
        ]);
    }
  }
  return { partnerId, credentials };
}
