import { beforeAll, expect, it } from 'vitest';
import { Contract } from '../../support/contract.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';

const service = serviceOfFile();
let demo: PartnerClient;

beforeAll(() => {
  demo = partnerClient(service);
});

it('lists the parameters that a call does not know, at every call that takes some, and only then', async () => {
  const contract = await Contract.of(service);
  const { json } = await demo.post<{ subscriptionId: string }>('/webhooks', {
    url: 'http://127.0.0.1:9/x',
  });
  const taking = contract.operations.filter(({ node }) =>
    [...(node.parameters as unknown as { in?: string }[])].some((one) => one.in === 'query'),
  );
  expect(taking.map(({ operationId }) => operationId).toSorted()).toEqual([
    'listEvents',
    'listLeads',
    'listWebhookDeliveries',
  ]);
  for (const { operationId, path, method } of taking) {
    const at = path.replace('{subscriptionId}', json.data.subscriptionId);
    const ignored = async (query: string) => {
      const target = `${at}?limit=5${query}`;
      const answer = await demo.request(method, target);
      contract.expectValid({ ...answer, method, target });
      return [operationId, answer.status, answer.json.data?.ignoredParameters];
    };
    expect(await ignored('&journeyID=1&x=2&x=3&Limit=1&__proto__=1&constructor')).toEqual([
      operationId,
      200,
      ['journeyID', 'x', 'Limit', '__proto__', 'constructor'],
    ]);
    expect(await ignored('')).toEqual([operationId, 200, undefined]);
  }
});
