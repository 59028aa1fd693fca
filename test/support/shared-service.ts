import { makeApiKey, makeApiSecret } from '../../src/auth/key-format.js';
import { KEY_SECRET_PURPOSE } from '../../src/auth/partner-key.js';
import { Database, Keyring, RandomSource, sha256 } from '../../src/platform/index.js';
import { afterThisFile } from './after-file.js';
import { mayStay } from './left-behind.js';
import { partnerClient } from './partner-client.js';
import { type OwnService, startService, type TestService } from './service.js';

let running: Promise<OwnService> | undefined;
let partners = 0;

/**
 * The service that every spec file of this worker shares, on the shipped configuration. Its records are there from file
 * to file, and so is its time: a file looks at what its own partner has, and does not travel.
 */
export async function sharedService(): Promise<TestService> {
  running ??= start();
  const service: TestService = await running;
  const own = await addPartner(service);
  const shared = { ...service, ...own };
  afterThisFile(() => endDeliveries(shared));
  return shared;
}

/** It ends with the worker. */
async function start(): Promise<OwnService> {
  const service = await startService();
  mayStay('TCPServerWrap');
  return service;
}

/** A copy of the demonstration's partner and of its key that has no limits to speak of. */
async function addPartner(
  service: Pick<TestService, 'get'>,
): Promise<Pick<TestService, 'partnerId' | 'credentials'>> {
  partners += 1;
  const partnerId = `spec-${partners}`;
  const random = service.get<RandomSource>(RandomSource);
  const credentials = {
    apiKey: makeApiKey('rinpath', 'test', random),
    apiSecret: makeApiSecret('rinpath', 'test', random),
  };
  const database = service.get<Database>(Database);
  const sealed = service.get<Keyring>(Keyring).seal(credentials.apiSecret, KEY_SECRET_PURPOSE);
  const copies: [table: string, of: string, replaced: object][] = [
    ['partners', `id = 'demo'`, { id: partnerId }],
    ['partner_logos', `partner_id = 'demo'`, { partner_id: partnerId }],
    [
      'api_keys',
      `partner_id = 'demo' AND name = 'demo-load'`,
      {
        id: `key_${partnerId}`,
        partner_id: partnerId,
        key_hash: sha256(credentials.apiKey),
        secret_sealed: sealed,
      },
    ],
  ];
  for (const [table, of, replaced] of copies) {
    await database.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, $1)).* FROM ${table} AS t WHERE ${of}`,
      [JSON.stringify(replaced)],
    );
  }
  return { partnerId, credentials };
}

/** The file's receivers are gone: nothing more is sent to them. */
async function endDeliveries(service: TestService): Promise<void> {
  const partner = partnerClient(service);
  const { json } = await partner.get<{ subscriptions: { subscriptionId: string }[] }>('/webhooks');
  for (const { subscriptionId } of json.data.subscriptions) {
    await partner.delete(`/webhooks/${subscriptionId}`);
  }
}
