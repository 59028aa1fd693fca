import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Database, sha256 } from '../../../src/platform/index.js';
import { RequestLogWriter } from '../../../src/request-log/request-log-writer.js';
import { Contract } from '../../support/contract.js';
import { HeldConnection } from '../../support/held-connection.js';
import { HeldLock } from '../../support/held-lock.js';
import { loanRequest } from '../../support/loan-requests.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { signedLines } from '../../support/wire.js';
import { issueKey, partnerRoutesOf, type TestKey } from '../auth/auth-harness.js';
import { logged, named } from './request-log-bench.js';

/** Made-up PANs and mobile numbers. */
const IDENTITY_WORDS = fc.stringMatching(/^([A-Z]{5}[0-9]{4}[A-Z]|(0|91)?[6-9][0-9]{9})$/);

const service = serviceOfFile();
let key: TestKey;

beforeAll(async () => {
  key = await issueKey(service);
});

const hosted = () => loanRequest({ channel: 'API_HOSTED' });

async function wholeLog(): Promise<string> {
  await service.get<RequestLogWriter>(RequestLogWriter).written();
  const rows = await service
    .get<Database>(Database)
    .query<{ row: string }>('SELECT partner_requests::text AS row FROM partner_requests');
  return rows.map(({ row }) => row).join('\n');
}

describe('a call is kept', () => {
  it('with time, key, route, path, status, duration and our request id', async () => {
    const before = service.now().getTime();
    const answer = await key.client.get('/products');
    const requestId = String(answer.headers['x-request-id']);
    const call = await logged(service, { requestId });
    // Other files of the worker may have moved the time.
    const { realAt: _, ...kept } = call;
    expect(kept).toEqual({
      id: requestId,
      requestId,
      at: expect.any(Date),
      keyId: key.id,
      method: 'GET',
      route: '/products',
      path: '/api/v1/partner/products',
      subjectId: null,
      status: 200,
      code: null,
      durationMs: expect.any(Number),
      isAuthenticated: true,
      refused: null,
    });
    const [began, ended] = [call.at.getTime(), service.now().getTime()];
    expect([began >= before - 1, began <= ended]).toEqual([true, true]);
    expect(call.durationMs).toBeGreaterThan(0);
    expect(call.durationMs).toBeLessThan(ended - before + 2);
  });

  it('on the journey that it has made, and on the one that it names', async () => {
    const { journeyId } = (await key.client.initiate(hosted())).json.data;
    await key.client.journey(journeyId);
    for (const [method, route, path] of [
      ['GET', '/journey/:journeyId', `/journey/${journeyId}`],
      ['POST', '/journey/initiate', '/journey/initiate'],
    ]) {
      const call = await logged(service, { subjectId: journeyId, method });
      expect(call).toMatchObject({ route, path: `/api/v1/partner${path}`, status: 200 });
    }
  });

  it('when the caller hangs up before the answer, with the status 499', async () => {
    const { requestId } = named();
    const target = '/api/v1/partner/leads';
    const head = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Request-Id: ${requestId}\r\n`;
    const lock = await HeldLock.take(service.databaseUrl, 'LOCK TABLE applications');
    try {
      const signed = `${head}${signedLines(key, 'GET', target)}\r\n`;
      const connection = await HeldConnection.open(service.baseUrl, signed);
      await lock.waiting('applications');
      // A client that only closes its sending side still gets its answer.
      connection.reset();
      expect(await logged(service, { requestId })).toMatchObject({ status: 499, code: null });
    } finally {
      await lock.release();
    }
  });
});

describe('a signature that is refused is kept', () => {
  it('with what the server signed, and the body’s length and hash, never the body', async () => {
    const { requestId, headers } = named();
    const body = JSON.stringify(hosted());
    const overrides = { signature: 'a'.repeat(64), nonce: '7c9e6679-7425-40de-944b-e07fc1f90ae7' };
    const answer = await key.client.post('/journey/initiate', body, { overrides, headers });
    expect(answer.status).toBe(401);
    const call = await logged(service, { requestId });
    expect(call).toMatchObject({
      code: 'invalid_signature',
      keyId: key.id,
      isAuthenticated: false,
      subjectId: null,
      refused: {
        finding: 'UNKNOWN',
        secondsAhead: expect.any(Number),
        canonical: expect.stringMatching(
          /^POST\n\/api\/v1\/partner\/journey\/initiate\n\d+\n7c9e6679-7425-40de-944b-e07fc1f90ae7\n$/,
        ),
        bodyBytes: Buffer.byteLength(body),
        bodySha256: sha256(body),
      },
    });
  });
});

describe('the log holds no personal data and no secret', () => {
  it('no PAN and no mobile number, at whatever place a caller puts one', async () => {
    const contract = await Contract.of(service);
    const queried = contract.operations.flatMap(({ path, method, node }) =>
      [...(node.parameters as unknown as { name: string; in?: string }[])]
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => ({ path, method, name })),
    );
    expect(queried.length).toBeGreaterThan(10);
    const [person, secretWord] = ['Zyxwella', 'quorntander'];
    await key.client.initiate(loanRequest({ customer: { fullName: person } }));
    await key.client.get(
      `/leads/${person}/status?name=${person}&status=${secretWord}&${secretWord}=1`,
      {
        headers: { 'user-agent': person, cookie: secretWord },
      },
    );
    const words = fc.sample(IDENTITY_WORDS, { numRuns: 2, seed: 40 });
    const refused = { signature: 'b'.repeat(64) };
    for (const word of words) {
      const ids = [word, `${word}-1`, `order-${word}`, `a_${word.toLowerCase()}.b`];
      for (const id of ids) {
        const { headers } = await key.client.get('/products', { headers: { 'x-request-id': id } });
        expect(headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
      }
      for (const { path, method, name } of queried) {
        const at = path.replaceAll(/\{\w+\}/g, word);
        for (const value of [word, `evc_${word}`, `2026-01-31T${word}`, `a,${word}`]) {
          await key.client.request(method, `${at}?${name}=${value}&${word}=1`);
        }
      }
      for (const { method, target } of partnerRoutesOf(service).filter(isParametrised)) {
        await key.client.request(method, target.replaceAll(/\w{3}_0{32}/g, word), { body: '{}' });
      }
      const headers = { traceparent: word, 'user-agent': word, 'content-type': word };
      const overrides = { ...refused, timestamp: word.slice(-10).replaceAll(/\D/g, '7') };
      await key.client.get(`/leads?status=${word}`, { headers, overrides });
      await key.client.call('PUT', `/journey/${word}/action?${word}`, { headers });
    }
    const text = (await wholeLog()).toUpperCase();
    expect(text).toContain('/API/V1/PARTNER/JOURNEY/:JOURNEYID/ACTION');
    const hidden = [...words, person, secretWord, key.apiKey, key.apiSecret, refused.signature];
    for (const word of hidden) expect(text).not.toContain(word.toUpperCase());
    expect(text).not.toMatch(/(?<![A-Z0-9])[6-9]\d{9}(?![A-Z0-9])/);
  });
});

function isParametrised({ target }: { target: string }): boolean {
  return /_0{32}/.test(target);
}
