// Isolated: how often lenders call is limited and counted for the whole service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnService, startService } from '../../support/service.js';
import { JourneyBench } from '../journeys/journey-bench.js';
import { CallbackBench } from './callback-bench.js';
import type { Wrong } from './signing-lender.js';

let service: OwnService;
let bench: CallbackBench;

beforeAll(async () => {
  service = await startService();
  bench = await CallbackBench.on(new JourneyBench(service));
});

afterAll(async () => {
  await bench?.close();
  await service?.close();
});

const nested = (levels: number) => `{"more":${'['.repeat(levels)}${']'.repeat(levels)}}`;

describe('a message that is not as the protocol says', () => {
  it.each<[string, number, string, object | string, Wrong]>([
    ['no JSON', 400, 'invalid_request', '{', {}],
    ['no UTF-8 JSON object', 400, 'invalid_request', '[]', {}],
    ['nests too deeply', 400, 'invalid_request', nested(5_000), {}],
    ['a field that is missing', 400, 'invalid_request', { id: 'x' }, {}],
    ['another version', 400, 'version_not_supported', '{}', { headers: { 'rlp-version': '2' } }],
    [
      'another media type',
      415,
      'unsupported_media_type',
      '{}',
      { headers: { 'content-type': 'text/plain' } },
    ],
  ])('is refused: %s', async (_, status, code, body, wrong) => {
    const told = await bench.lender.tell('loan-events', body, wrong);
    expect([told.status, told.json.error!.code, told.isSigned]).toEqual([status, code, true]);
  });

  it('is refused when Idempotency-Key is not its id', async () => {
    const journey = await bench.journeys.startWithOffers();
    await journey.select();
    const wrong = { headers: { 'idempotency-key': 'another' } };
    const told = await bench.lender.tell('loan-events', await bench.loanEvent(journey), wrong);
    expect([told.status, told.json.error!.code]).toEqual([400, 'invalid_request']);
  });

  it('is 413 above 256 KB, and taken below', async () => {
    const long = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes) });
    const tooLong = await bench.lender.tell('loan-events', long(256 * 1024));
    expect([tooLong.status, tooLong.json.error!.code]).toEqual([413, 'body_too_large']);
    expect((await bench.lender.tell('loan-events', long(200 * 1024))).status).toBe(400);
  });

  it('is 404 at an address that there is not', async () => {
    const told = await bench.lender.tell('nothing', {});
    expect([told.status, told.json.error!.code]).toEqual([404, 'not_found']);
  });
});

describe('too much at once', () => {
  it('is 429 for the lender that tells it, and for no other', async () => {
    const journey = await bench.journeys.startWithOffers();
    await journey.select();
    const body = await bench.loanEvent(journey);
    const many = await Promise.all(
      Array.from({ length: 150 }, () => bench.lender.tell('loan-events', body)),
    );
    const refused = many.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0].json.error!.code).toBe('too_many_requests');
    expect((await bench.stranger.tell('loan-events', body)).status).toBe(404);
    const metrics = await (await fetch(`${bench.journeys.service.baseUrl}/metrics`)).text();
    const counted = (lender: string, outcome: string) =>
      `lender_callbacks_total{lender="${lender}",call="LOAN_EVENTS",outcome="${outcome}"}`;
    expect(metrics).toContain(`${counted('navdhara', 'too_many_requests')} ${refused.length}`);
    expect(metrics).toContain(`${counted('navdhara', 'received')} ${150 - refused.length}`);
    expect(metrics).toContain(`${counted('kaverisetu', 'not_found')} 1`);
  });

  it('is 429 for an address whose calls are not signed, before anything is read of them', async () => {
    const address = `${bench.journeys.service.baseUrl}/lender-api/v1/navdhara/answers`;
    const statuses: number[] = [];
    for (let turn = 0; turn < 13; turn += 1) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => fetch(address, { method: 'POST', body: '{' })),
      );
      statuses.push(...answers.map(({ status }) => status));
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    // A lender behind that address is heard all the same.
    expect((await bench.stranger.tell('loan-events', '{')).status).toBe(400);
  });
});
