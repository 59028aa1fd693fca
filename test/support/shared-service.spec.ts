import { expect, it } from 'vitest';
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
