import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientTypes } from '../../../clients/node/generate-types.js';
import type { operations } from '../../../clients/node/src/api.js';
import { RinpathClient } from '../../../clients/node/src/index.js';
import { Relay } from './relay.js';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** One call of each operation; the compiler reports a missing one. */
const CALLS: Record<keyof operations, (client: RinpathClient) => Promise<unknown>> = {
  createInstantLoan: (client) => client.createInstantLoan({} as never),
  createWorkbenchLink: (client) => client.createWorkbenchLink(),
  deleteWebhook: (client) => client.deleteWebhook('a'),
  enableWebhook: (client) => client.enableWebhook('a'),
  initiateJourney: (client) => client.initiateJourney({} as never),
  listEvents: (client) => client.listEvents(),
  listLeads: (client) => client.listLeads(),
  listProducts: (client) => client.listProducts(),
  listWebhookDeliveries: (client) => client.listWebhookDeliveries('a'),
  listWebhooks: (client) => client.listWebhooks(),
  moveSandboxTime: (client) => client.moveSandboxTime({} as never),
  paySandboxInstantLoan: (client) => client.paySandboxInstantLoan('a', {} as never),
  readJourney: (client) => client.readJourney('a'),
  readLeadStatus: (client) => client.readLeadStatus('a'),
  recoverWebhook: (client) => client.recoverWebhook('a', {} as never),
  redeliverWebhook: (client) => client.redeliverWebhook('a', 'a'),
  registerWebhook: (client) => client.registerWebhook({} as never),
  rotateWebhookSecret: (client) => client.rotateWebhookSecret('a'),
  signalRedirectReturned: (client) => client.redirectReturned('a', {} as never, {}),
  submitJourneyAction: (client) => client.submitAction('a', {} as never, {}),
  testWebhook: (client) => client.testWebhook('a'),
};

interface Document {
  paths: Record<string, Record<string, { operationId: keyof operations }>>;
}

const OPERATIONS = Object.entries(
  (JSON.parse(read('docs/openapi.json')) as Document).paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    operationId,
    request: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'a')}`,
  })),
);

let relay: Relay;
let client: RinpathClient;

beforeAll(async () => {
  relay = await Relay.before('http://127.0.0.1:9');
  client = new RinpathClient({ baseUrl: relay.url, apiKey: 'key', apiSecret: 'secret' });
});

afterAll(() => relay.stop());

it.each(OPERATIONS)('$operationId is a method that sends $request', async (operation) => {
  relay.forget();
  relay.next({ status: 200, body: '{"success":true,"data":{"isReturned":true}}' });
  expect(await CALLS[operation.operationId](client)).toEqual({ isReturned: true });
  expect(relay.seen).toEqual([operation.request]);
});

it('has the types that the OpenAPI document says', async () => {
  expect(read('clients/node/src/api.ts')).toBe(await clientTypes());
});
