import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atCode, codeFor, HostedClient, linkFor, plain } from '../../support/hosted-client.js';
import { CodeBench, csrfOf, MINUTE, newAddress, sendAgain } from './code-bench.js';

/** Lower than the default, so that a test reaches it. */
const CODES_PER_ADDRESS = 14;

let bench: CodeBench;

beforeAll(async () => {
  bench = await CodeBench.start({ codesPerAddressPerHour: CODES_PER_ADDRESS });
});

afterAll(() => bench.close());

describe('the number of codes', () => {
  it('is three, then a pause whose end is displayed; after it there are three more', async () => {
    const { start, client } = await bench.started();
    await sendAgain(client);
    expect(client.page!.text).toContain('Send a new code');
    const third = await sendAgain(client);
    expect(third.text).not.toContain('action="/hosted/code/send"');
    expect(plain(third.text)).toMatch(
      /You can ask for a new code after \d+ \w+ \d{4}, \d+:\d\d [ap]m/,
    );
    expect(await bench.codesOf(start)).toBe(3);
    // A form that is sent by hand is limited, too.
    const forced = await client.post('/hosted/code/send', {
      csrf: csrfOf(client),
      after: (await bench.newestCode(start.id)).id,
    });
    expect(forced.location).toBe('/hosted/code');
    expect((await client.get('/hosted/code/send')).location).toBe('/hosted/code');
    expect(await bench.codesOf(start)).toBe(3);

    await bench.service.travel(30 * MINUTE);
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
    /** A session ends after half an hour without use, so the test keeps using it. */
    const sitOutThePause = async () => {
      for (let times = 0; times < 2; times += 1) {
        await bench.service.travel(20 * MINUTE);
        await client.open('/hosted/code');
      }
    };
    for (let code = 2; code <= 12; code += 1) {
      if (code % 3 === 1) await sitOutThePause();
      await sendByHand();
      expect([code, await bench.codesOf(start)]).toEqual([code, code]);
    }
    await sitOutThePause();
    expect(client.page!.text).not.toContain('action="/hosted/code/send"');
    await sendByHand();
    expect(await bench.codesOf(start)).toBe(12);
    await bench.service.travel(24 * 60 * MINUTE);
    const asking = new HostedClient(bench.service.baseUrl, newAddress());
    await asking.open('/hosted/link');
    await asking.send303({ mobile: start.mobile });
    const link = await linkFor(bench.service, start.mobile);
    await atCode(bench.service, { ...start, link }, newAddress());
    expect(await bench.codesOf(start)).toBe(13);
  });

  it('does not grow by pressing the button twice', async () => {
    const { start, client } = await bench.started();
    const form = () => client.submit({}, { action: '/hosted/code/send' });
    await Promise.all([form(), form(), form()]);
    expect(await bench.codesOf(start)).toBe(2);
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
    expect(plain(again.page!.text)).toContain('You can ask for a new code after');
    expect(await bench.codesOf(start)).toBe(3);
  });
});
