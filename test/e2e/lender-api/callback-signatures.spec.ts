import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderMessageTasks } from '../../../src/lender-api/callbacks/message-log.js';
import { MINUTE } from '../journeys/journey-bench.js';
import { CallbackBench } from './callback-bench.js';
import { newKey, SigningLender, type Wrong } from './signing-lender.js';
import { ofFile } from '../../support/of-file.js';

const bench = ofFile(() => CallbackBench.open());

beforeAll(async () => {
  // An earlier file may have used up the address's limit of a minute.
  await bench.journeys.service.travel(MINUTE);
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('what is not rightly signed', () => {
  it('is 401, and moves nothing', async () => {
    const journey = await bench.atKyc();
    const body = await bench.kycAnswer(journey);
    const elsewhere = 'https://rinpath.example/lender-api/v1/x/answers';
    const wrongs: Record<string, Wrong> = {
      'another key of the same name': { key: newKey('navdhara-1') },
      'another lender’s key': { key: bench.stranger.key },
      'another body': { signedBody: '{}' },
      'another address': { signedAddress: elsewhere },
      'another time': { now: Math.floor(Date.now() / 1_000) - 400 },
      nothing: { headers: { 'x-jws-signature': undefined } },
    };
    for (const [name, wrong] of Object.entries(wrongs)) {
      const { status, json, isSigned } = await bench.lender.tell('answers', body, wrong);
      expect([name, status, json.error!.code, isSigned]).toEqual([
        name,
        401,
        'signature_refused',
        false,
      ]);
    }
    const unknown = new SigningLender(bench.journeys.service, 'unknown');
    expect((await unknown.tell('answers', body)).json.error!.code).toBe('signature_refused');
    expect((await journey.read()).state).toBe('KYC_PENDING');
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
});

it('a message that is not as the protocol says is refused, signed, unless it is too large to be read', async () => {
  const long = (kilobytes: number) => JSON.stringify({ text: 'x'.repeat(kilobytes * 1024) });
  for (const [body, status, code, isSigned] of [
    [long(200), 400, 'invalid_request', true],
    [long(256), 413, 'body_too_large', false],
  ] as const) {
    const answer = await bench.lender.tell('loan-events', body);
    expect([answer.status, answer.json.error!.code, answer.isSigned]).toEqual([
      status,
      code,
      isSigned,
    ]);
  }
  expect((await bench.lender.tell('nothing', {})).status).toBe(404);
});
