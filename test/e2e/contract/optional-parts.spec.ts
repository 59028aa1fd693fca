import { beforeAll, expect, it } from 'vitest';
import { loanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

let service: TestService;
let demo: PartnerClient;

beforeAll(async () => {
  service = await sharedService();
  demo = partnerClient(service);
});

it('an optional object or list of a body is refused by its field when it cannot be read, at every call', async () => {
  const consent = {
    textVersion: '7',
    language: 'en',
    givenAt: service.now().toISOString(),
    lenderCodes: ['navdhara'],
  };
  const gold = { ...loanRequest({ productCode: 'ONLINE_GOLD' }), consent };
  const instant = { ...loanRequest({ loanAmount: 20_000 }), consent };
  const hook = { url: 'http://127.0.0.1:9/x' };
  const lenders = (lenderCodes: unknown) => ({ consent: { ...consent, lenderCodes } });
  const parts: [string, object, string, (value: unknown) => object][] = [
    ['/journey/initiate', gold, 'consent', (value) => ({ consent: value })],
    ['/journey/initiate', gold, 'consent.lenderCodes', lenders],
    ['/journey/initiate', gold, 'goldLoanDetails', (value) => ({ goldLoanDetails: value })],
    ['/instant-loans', instant, 'consent', (value) => ({ consent: value })],
    ['/instant-loans', instant, 'consent.lenderCodes', lenders],
    ['/webhooks', hook, 'events', (events) => ({ events })],
  ];
  for (const [path, body, field, part] of parts) {
    const other = /lenderCodes|events/.test(field) ? {} : [{}];
    for (const value of ['x', '', 5, true, other]) {
      const { status, json } = await demo.post(path, { ...body, ...part(value) });
      const fields = json.details?.map((detail) => detail.field);
      expect([path, field, value, status, fields]).toEqual([path, field, value, 400, [field]]);
    }
  }
});
