// Isolated: holds every timer of its service, and looks at all kept answers.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { loanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import { Schedule } from '../../support/schedule.js';
import { startService, type OwnService } from '../../support/service.js';

const HOUR = 3_600_000;
const A_PASS = 600_000;

let schedule: Schedule;
let service: OwnService;
let records: JourneyRecords;

beforeAll(async () => {
  schedule = Schedule.hold();
  service = await startService();
  records = new JourneyRecords(service.databaseUrl);
});

afterAll(async () => {
  await records?.close();
  await service?.close();
  schedule?.letGo();
});

const kept = () => records.query('SELECT created_at FROM idempotent_answers');

describe('the answer to a call with an Idempotency-Key', () => {
  it('is kept for 24 hours, with the scheduled cleaning at work, and then forgotten', async () => {
    const partner = partnerClient(service);
    const body = loanRequest();
    const call = () => partner.initiate(body, { headers: { 'idempotency-key': key } });
    const key = randomUUID();
    const first = await call();
    expect(first.status).toBe(200);
    for (const hours of [1, 22.9]) {
      await service.travel(hours * HOUR);
      // One that is long over shows when the cleaning has been through.
      await records.query(
        `INSERT INTO idempotent_answers
         SELECT (jsonb_populate_record(a, jsonb_build_object('idempotency_key', $1::text,
           'created_at', app_now() - interval '2 days'))).* FROM idempotent_answers AS a LIMIT 1`,
        [randomUUID()],
      );
      await schedule.pass(A_PASS);
      await eventually(async () => expect(await kept()).toHaveLength(1));
      const again = await call();
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
      expect(again.json.data.journeyId).toBe(first.json.data.journeyId);
    }
    await service.travel(0.2 * HOUR);
    await schedule.pass(A_PASS);
    await eventually(async () => expect(await kept()).toEqual([]));
    const other = await call();
    expect(other.headers['idempotency-replayed']).toBeUndefined();
    expect(other.json.data.journeyId).not.toBe(first.json.data.journeyId);
  });
});
