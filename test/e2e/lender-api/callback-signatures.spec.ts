import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderMessageTasks } from '../../../src/lender-api/callbacks/message-log.js';
import { eventually } from '../../support/eventually.js';
import { MINUTE } from '../journeys/journey-bench.js';
import { CallbackBench } from './callback-bench.js';
import { newKey, SigningLender, type Wrong } from './signing-lender.js';

let bench: CallbackBench;

beforeAll(async () => {
  bench = await CallbackBench.open();
  // An earlier file may have used up the address's limit of a minute.
  await bench.journeys.service.travel(MINUTE);
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bench.close());

const other = newKey('navdhara-1');

describe('what is not rightly signed', () => {
  it('is 401, and moves nothing', async () => {
    const journey = await bench.atKyc();
    const body = await bench.kycAnswer(journey);
    const elsewhere = 'https://rinpath.example/lender-api/v1/x/answers';
    const wrongs: Record<string, Wrong> = {
      'another key of the same name': { key: other },
      'a key that is not known': { key: newKey('unknown') },
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

  it('is put before the operator when it repeats, unless anybody could have sent it', async () => {
    const body = { questionId: 'jrn_1:KYC:rdr_1' };
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
});

describe('a message that is not as the protocol says', () => {
  const nested = `{"more":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  const long = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes) });

  it.each<[string, number, string, object | string, Wrong]>([
    ['no JSON', 400, 'invalid_request', '{', {}],
    ['no object', 400, 'invalid_request', '[]', {}],
    ['nested too deeply', 400, 'invalid_request', nested, {}],
    ['a field that is missing', 400, 'invalid_request', { id: 'x' }, {}],
    ['200 KB', 400, 'invalid_request', long(200 * 1024), {}],
    ['over 256 KB', 413, 'body_too_large', long(256 * 1024), {}],
    ['another version', 400, 'version_not_supported', '{}', { headers: { 'rlp-version': '2' } }],
    [
      'another media type',
      415,
      'unsupported_media_type',
      '{}',
      { headers: { 'content-type': 'text/plain' } },
    ],
  ])('is refused: %s', async (_, status, code, body, wrong) => {
    const response = await bench.lender.tell('loan-events', body, wrong);
    // A body that is too large is not read, so the lender that signed it is unknown.
    const isSigned = code !== 'body_too_large';
    expect([response.status, response.json.error!.code, response.isSigned]).toEqual([
      status,
      code,
      isSigned,
    ]);
  });

  it('is refused when Idempotency-Key is not its id, or at an unknown address', async () => {
    const journey = await bench.journeys.startWithOffers();
    await journey.select();
    const wrong = { headers: { 'idempotency-key': 'another' } };
    const response = await bench.lender.tell('loan-events', await bench.loanEvent(journey), wrong);
    expect([response.status, response.json.error!.code]).toEqual([400, 'invalid_request']);
    expect((await bench.lender.tell('nothing', {})).status).toBe(404);
  });
});
