import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderMessageTasks } from '../../../src/lender-api/callbacks/message-log.js';
import { eventually } from '../../support/eventually.js';
import { MINUTE } from '../journeys/journey-bench.js';
import { CallbackBench } from './callback-bench.js';
import { newKey, SigningLender, type Wrong } from './signing-lender.js';

let bench: CallbackBench;

beforeAll(async () => {
  bench = await CallbackBench.open();
  // A file before may have used up what an address may do wrong in a minute.
  await bench.journeys.service.travel(MINUTE);
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bench.close());

describe('what is not rightly signed', () => {
  const other = newKey('navdhara-1');
  it.each<[string, Wrong]>([
    ['with another key of the same name', { key: other }],
    ['with a key that is not known', { key: newKey('nobody') }],
    ['over another body', { signedBody: '{}' }],
    ['for another address', { signedAddress: 'https://rinpath.example/lender-api/v1/x/answers' }],
    ['too long ago', { now: Math.floor(Date.now() / 1_000) - 400 }],
    ['not at all', { headers: { 'x-jws-signature': undefined } }],
  ])('is 401: %s', async (_, wrong) => {
    const journey = await bench.atKyc();
    const told = await bench.lender.tell('answers', await bench.kycAnswer(journey), wrong);
    expect([told.status, told.json.error!.code, told.isSigned]).toEqual([
      401,
      'signature_refused',
      false,
    ]);
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });

  it('is 401 in another lender’s name, and of one that there is not', async () => {
    const journey = await bench.atKyc();
    const body = await bench.kycAnswer(journey);
    expect((await bench.lender.tell('answers', body, { key: bench.stranger.key })).status).toBe(
      401,
    );
    const nobody = new SigningLender(bench.journeys.service, 'nobody');
    expect((await nobody.tell('answers', body)).json.error!.code).toBe('signature_refused');
  });

  it('is put before the operator when it repeats, unless anybody could have sent it', async () => {
    const journey = await bench.atKyc();
    const body = await bench.kycAnswer(journey);
    const flags = () =>
      bench.journeys.query<{ detail: object }>(
        `SELECT detail FROM operator_flags WHERE kind = 'LENDER_SIGNATURE_REFUSED'`,
      );
    const sendSix = async (wrong: Wrong) => {
      for (let call = 0; call < 6; call += 1) await bench.lender.tell('answers', body, wrong);
    };
    const before = await flags();
    await sendSix({ headers: { 'x-jws-signature': undefined } });
    await sendSix({ key: newKey('made-up') });
    expect(await flags()).toEqual(before);
    await sendSix({ key: other });
    await eventually(async () => {
      expect(await flags()).toMatchObject([
        { detail: { message: 'callback', problem: 'DOES_NOT_MATCH' } },
      ]);
    });
  });

  it('is 401 the second time, also for another body, and the id is kept for as long as it must', async () => {
    const journey = await bench.journeys.startWithOffers();
    await journey.select();
    const id = 'jti-of-one-request';
    const event = await bench.loanEvent(journey);
    expect((await bench.lender.tell('loan-events', event, { id })).status).toBe(202);
    for (const body of [event, await bench.loanEvent(journey)]) {
      const again = await bench.lender.tell('loan-events', body, { id });
      expect([again.status, again.json.error!.code]).toEqual([401, 'request_replayed']);
    }
    await bench.journeys.service.get(LenderMessageTasks).cleanRequestIds();
    const count = () =>
      bench.journeys.query('SELECT 1 FROM lender_request_ids WHERE jti = $1', [id]);
    expect(await count()).toHaveLength(1);
    await bench.journeys.query(
      `UPDATE lender_request_ids SET used_at = now() - interval '16 minutes' WHERE jti = $1`,
      [id],
    );
    await bench.journeys.service.get(LenderMessageTasks).cleanRequestIds();
    expect(await count()).toEqual([]);
  });

  it('is forgotten as fast as others come, however many there were', async () => {
    await bench.journeys.query(
      `INSERT INTO lender_request_ids (lender_code, jti, used_at)
       SELECT 'navdhara', 'flood-' || n, now() - interval '16 minutes' FROM generate_series(1, 20500) AS n`,
    );
    await bench.journeys.service.get(LenderMessageTasks).cleanRequestIds();
    expect(
      await bench.journeys.query(
        `SELECT 1 FROM lender_request_ids WHERE jti LIKE 'flood-%' LIMIT 1`,
      ),
    ).toEqual([]);
  });
});
