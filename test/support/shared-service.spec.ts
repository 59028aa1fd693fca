import { expect, it } from 'vitest';
import { finishFile } from './after-file.js';
import { loanRequest } from './loan-requests.js';
import { partnerClient } from './partner-client.js';
import { sharedService } from './shared-service.js';

it('is one service with a partner for each that asks, who sees nothing of the others', async () => {
  const [first, second] = [await sharedService(), await sharedService()];
  expect(second.baseUrl).toBe(first.baseUrl);
  const started = await partnerClient(first).initiate(loanRequest());
  expect(started.status).toBe(200);
  const { journeyId, journeySession } = started.json.data;
  expect((await partnerClient(first).journey(journeyId, journeySession)).status).toBe(200);
  expect((await partnerClient(second).journey(journeyId, journeySession)).status).toBe(404);
});

it('has no receiver of a file once the file has ended', async () => {
  const service = await sharedService();
  const partner = partnerClient(service);
  const { status } = await partner.post('/webhooks', { url: 'https://partner.example/hook' });
  expect(status).toBe(200);
  await finishFile();
  const { json } = await partner.get<{ subscriptions: object[] }>('/webhooks');
  expect(json.data.subscriptions).toEqual([]);
});
