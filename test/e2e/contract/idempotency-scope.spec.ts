import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { HeldLock } from '../../support/held-lock.js';
import type { CreatedInstantLoan } from '../../support/instant-loans.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

// One body that both calls take, so that nothing but the call tells their requests apart.
const BODY = loanRequest({ loanAmount: 40_000 });

let service: TestService;
let demo: PartnerClient;

beforeAll(async () => {
  service = await sharedService();
  demo = partnerClient(service);
});

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
const initiate = (key: string) => demo.initiate(BODY, withKey(key));
const apply = (key: string) => demo.post<CreatedInstantLoan>('/instant-loans', BODY, withKey(key));

describe('one Idempotency-Key at both calls that take one', () => {
  it('is two keys: each call does its work once, and replays its own answer', async () => {
    const key = randomUUID();
    const journey = await initiate(key);
    const loan = await apply(key);
    expect([journey.status, loan.status]).toEqual([200, 200]);
    for (const { headers } of [journey, loan]) {
      expect(headers).not.toHaveProperty('idempotency-replayed');
    }
    expect(journey.json.data.journeyId).toMatch(/^jrn_/);
    expect(loan.json.data.redirectUrl).toContain(loan.json.data.applicationId);
    expect(loan.json.data.journeyId).not.toBe(journey.json.data.journeyId);
    expect(loan.json.data.applicationId).not.toBe(journey.json.data.applicationId);

    for (const [again, first] of [
      [await initiate(key), journey],
      [await apply(key), loan],
    ]) {
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
      expect(again.json).toEqual(first.json);
    }
  });

  it('does not have one wait for the other', async () => {
    const key = randomUUID();
    const lock = await HeldLock.take(
      service.databaseUrl,
      'LOCK TABLE applications IN EXCLUSIVE MODE',
    );
    const journey = initiate(key);
    await lock.waiting('applications');
    // Were the key one and the same, this would be a 409 at once.
    const loan = apply(key);
    await lock.waiting('applications', 2);
    await lock.release();
    expect([(await journey).status, (await loan).status]).toEqual([200, 200]);
  });
});
