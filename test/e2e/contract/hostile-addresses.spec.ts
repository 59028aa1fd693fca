import { beforeAll, describe, expect, it } from 'vitest';
import { PARTNER_PREFIX } from '../../support/partner-client.js';
import { HostileClient } from './hostile-client.js';

let client: HostileClient;

beforeAll(async () => {
  client = await HostileClient.start();
});

describe('an address', () => {
  it.each(['%', '%zz', '%ed%a0%80'])(
    'with the broken percent-encoding %s is refused',
    async (text) => {
      for (const path of [`/journey/${text}`, `/leads/${text}/status`]) {
        const { status, json } = await client.send('GET', PARTNER_PREFIX + path);
        expect([path, status, json.code]).toEqual([path, 400, 'malformed_request']);
      }
    },
  );

  it.each(['jrn_%00', '..%2f..', '%5c', '__proto__'])(
    'of a journey named %s is of nothing',
    async (text) => {
      const { status, json } = await client.send('GET', `${PARTNER_PREFIX}/journey/${text}`);
      expect([status, json.code]).toEqual([404, 'journey_not_found']);
    },
  );

  it.each(['http://[', 'http://a:b:c/', '?a=1', '*', '//', 'http://%', '\0'])(
    'that reads %j is refused in the envelope, under an id',
    async (target) => {
      const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: id-17\r\n`;
      const bytes = `${head}Connection: close\r\n\r\n`;
      const { status, headers } = await client.bytes('GET', '/', bytes);
      expect(status).toBeGreaterThan(399);
      expect(status).toBeLessThan(500);
      expect(headers).toMatchObject({
        // A request that Node's parser rejects has no headers yet.
        'x-request-id': expect.stringMatching(/^(id-17|req_[0-9a-f]{32})$/),
        'ratelimit-remaining': expect.stringMatching(/^\d+$/),
        'content-type': expect.stringMatching(/^application\/json/),
      });
    },
  );

  it('that is very long is refused', async () => {
    const below = `${PARTNER_PREFIX}/journey/${'x'.repeat(12_000)}`;
    expect((await client.send('GET', below)).status).toBe(404);
    const above = `${PARTNER_PREFIX}/journey/${'x'.repeat(70_000)}`;
    expect((await client.send('GET', above)).status).toBe(431);
  });

  it('with an invalid query does no harm', async () => {
    const queries = ['?%', '?page=%zz', '?__proto__[x]=1', '?page[$gt]=1', '?status=%00', '?a&&=;'];
    for (const query of queries) {
      const { status } = await client.send('GET', `${PARTNER_PREFIX}/leads${query}`);
      expect([query, status < 500]).toEqual([query, true]);
    }
  });

  it.each(['NONSENSE / HTTP/1.1', 'GET / HTTP/9.9', '\x16\x03\x01\x02'])(
    'is refused when the line that names it is %j',
    async (line) => {
      const answer = await client.bytes('GET', '/', `${line}\r\n\r\n`);
      expect(answer.status).toBe(400);
    },
  );
});
