import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  atCode,
  codeFor,
  HostedClient,
  type HostedStart,
  linkFor,
  plain,
  startHosted,
} from '../../support/hosted-client.js';
import { CodeBench, csrfOf, MINUTE, newAddress, sendAgain } from './code-bench.js';

/** Fewer than by default, so that a test gets there. */
const CODES_PER_ADDRESS = 14;

let bench: CodeBench;

beforeAll(async () => {
  bench = await CodeBench.start({ codesPerAddressPerHour: CODES_PER_ADDRESS });
});

afterAll(() => bench.close());

async function codesOf({ id }: HostedStart): Promise<number> {
  const rows = await bench.records.query('SELECT id FROM one_time_codes WHERE journey_id = $1', [
    id,
  ]);
  const put = await bench.records.query(
    `SELECT id FROM sms_messages WHERE subject_id = $1 AND kind = 'ONE_TIME_CODE'`,
    [id],
  );
  expect(put).toHaveLength(rows.length);
  return rows.length;
}

describe('the number of codes', () => {
  it('is three, then a pause whose end is told; after it there are three more', async () => {
    const { start, client } = await bench.started();
    await sendAgain(client);
    expect(client.page!.text).toContain('Send a new code');
    const third = await sendAgain(client);
    expect(third.text).not.toContain('action="/hosted/code/send"');
    expect(plain(third.text)).toMatch(
      /The next one can be sent after \d+ \w+ \d{4}, \d+:\d\d [ap]m/,
    );
    expect(await codesOf(start)).toBe(3);
    // Whoever sends the form by hand gets no further.
    const forced = await client.post('/hosted/code/send', {
      csrf: csrfOf(client),
      after: (await bench.newestCode(start.id)).id,
    });
    expect(forced.location).toBe('/hosted/code');
    expect((await client.get('/hosted/code/send')).location).toBe('/hosted/code');
    expect(await codesOf(start)).toBe(3);

    await bench.replicas.travel(30 * MINUTE);
    await client.open('/hosted/link');
    await client.send303();
    const link = await linkFor(bench.service, start.mobile);
    const again = await atCode(bench.service, { ...start, link }, newAddress());
    const seen = await codeFor(bench.service, start.mobile);
    expect((await again.send303({ code: seen })).path).toBe('/hosted/consent');
  });

  it('is twelve a day, however often the pause is sat out; a day later there are more', async () => {
    const { start, client } = await bench.started();
    const sendByHand = async () =>
      client.post('/hosted/code/send', {
        csrf: csrfOf(client),
        after: (await bench.newestCode(start.id)).id,
      });
    /** A session that is not used for half an hour ends, so it is used. */
    const sitOutThePause = async () => {
      for (let times = 0; times < 2; times += 1) {
        await bench.replicas.travel(20 * MINUTE);
        await client.open('/hosted/code');
      }
    };
    for (let code = 2; code <= 12; code += 1) {
      if (code % 3 === 1) await sitOutThePause();
      await sendByHand();
      expect([code, await codesOf(start)]).toEqual([code, code]);
    }
    await sitOutThePause();
    expect(client.page!.text).not.toContain('action="/hosted/code/send"');
    await sendByHand();
    expect(await codesOf(start)).toBe(12);
    await bench.replicas.travel(24 * 60 * MINUTE);
    const asking = new HostedClient(bench.service.baseUrl, newAddress());
    await asking.open('/hosted/link');
    await asking.send303({ mobile: start.mobile });
    const link = await linkFor(bench.service, start.mobile);
    await atCode(bench.service, { ...start, link }, newAddress());
    expect(await codesOf(start)).toBe(13);
  });

  it('does not grow by pressing the button twice', async () => {
    const { start, client } = await bench.started();
    const form = () => client.submit({}, { action: '/hosted/code/send' });
    await Promise.all([form(), form(), form()]);
    expect(await codesOf(start)).toBe(2);
  });

  it('is limited over the links of a journey: a fresh link does not bring fresh codes', async () => {
    const { start, client } = await bench.started();
    await sendAgain(client);
    await sendAgain(client);
    const other = client.copy();
    other.cookies.delete('session');
    await other.open('/hosted/link');
    await other.send303({ mobile: start.mobile });
    const link = await linkFor(bench.service, start.mobile);
    const again = await atCode(bench.service, { ...start, link }, newAddress());
    expect(again.page!.heading).toBe('You need a new code');
    expect(plain(again.page!.text)).toContain('The next one can be sent after');
    expect(await codesOf(start)).toBe(3);
  });

  it('is limited for all who share a client address, over the replicas, to what the setting says', async () => {
    const { address } = newAddress();
    const opened = await Promise.all(
      Array.from({ length: CODES_PER_ADDRESS + 1 }, async (_, index) => {
        const start = await startHosted(bench.service);
        const { baseUrl } = index % 2 === 0 ? bench.replicas.first : bench.replicas.second;
        const client = new HostedClient(baseUrl, { address });
        await client.open(start.link);
        await client.send303();
        return { start, client };
      }),
    );
    const sent = await Promise.all(opened.map(({ start }) => codesOf(start)));
    expect(sent.filter((codes) => codes === 1)).toHaveLength(CODES_PER_ADDRESS);
    expect(sent.filter((codes) => codes === 0)).toHaveLength(1);
    const { client } = opened[sent.indexOf(0)];
    expect(plain(client.page!.text)).toContain('The next one can be sent after');
    await bench.replicas.travel(61 * MINUTE);
    const later = await startHosted(bench.service);
    await atCode(bench.service, later, { address });
    expect(await codesOf(later)).toBe(1);
  });
});
