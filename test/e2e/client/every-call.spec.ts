import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { clientScenarios, clientTypes } from '../../../clients/node/generate-types.js';
import { RinpathClient } from '../../../clients/node/src/index.js';
import { clientMethod } from '../../../src/docs-site/call-examples.js';
import { Relay } from './relay.js';
import { ofFile } from '../../support/of-file.js';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

interface Operation {
  operationId: string;
  requestBody?: object;
}

type Method = (...given: unknown[]) => Promise<unknown>;

const { paths } = JSON.parse(read('docs/openapi.json')) as {
  paths: Record<string, Record<string, Operation>>;
};
const OPERATIONS = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, requestBody }]) => ({
    operationId,
    request: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'a')}`,
    given: [...(path.match(/\{\w+\}/g) ?? []).map(() => 'a'), ...(requestBody ? [{}] : []), {}],
  })),
);

const relay = ofFile(() => Relay.before('http://127.0.0.1:9'));
let client: RinpathClient;

beforeAll(() => {
  client = new RinpathClient({ baseUrl: relay.url, apiKey: 'key', apiSecret: 'secret' });
});

it.each(OPERATIONS)('$operationId is a method that sends $request', async (operation) => {
  const { operationId, request, given } = operation;
  relay.forget();
  relay.next({ status: 200, body: '{"success":true,"data":{"isTold":true}}' });
  const call = client[clientMethod(operationId) as keyof RinpathClient] as Method;
  expect(await call.apply(client, given)).toEqual({ isTold: true });
  expect(relay.seen).toEqual([request]);
});

it('has the types that the OpenAPI document says', async () => {
  expect(read('clients/node/src/api.ts')).toBe(await clientTypes());
});

it('has the scenarios of the sandbox', async () => {
  expect(read('clients/node/src/scenarios.ts')).toBe(await clientScenarios());
});
