import { describe, expect, it } from 'vitest';
import {
  askForLink,
  atCode,
  codeFor,
  type HostedStart,
  linkFor,
  plain,
} from '../../support/hosted-client.js';
import { codeBench, csrfOf, MINUTE, newAddress, sendAgain } from './code-bench.js';
import { expectWords } from '../hosted-steps/step-journey.js';

const bench = codeBench({ codesPerAddressPerHour: 14 });

/** @param earlier an earlier fresh link, if any */
async function byFreshLink(start: HostedStart, earlier?: string) {
  await askForLink(bench.service, start.mobile, newAddress());
  const link = await linkFor(bench.service, start.mobile, earlier);
  return { link, client: await atCode(bench.service, { ...start, link }, newAddress()) };
}

describe('the number of codes', () => {
  it('is three, then a pause whose end is displayed; after it there are more', async () => {
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
    // A fresh link does not reset the limit.
    const early = await byFreshLink(start);
    expect(early.client.page!.heading).toBe('You need a new code');
    expectWords(early.client.page!, 'You can ask for a new code after');
    expect(await bench.codesOf(start)).toBe(3);

    await bench.service.travel(30 * MINUTE);
    const again = await byFreshLink(start, early.link);
    const code = await codeFor(bench.service, start.mobile);
    expect((await again.client.send303({ code })).path).toBe('/hosted/consent');
  });

  it('is twelve a day; a day later there are more', async () => {
    const { start, client } = await bench.started();
    // Ten more codes, without waiting for the pauses.
    await bench.records.query(
      `UPDATE counted_limits SET count = 11 WHERE (kind, ends_at) =
         (SELECT kind, max(ends_at) FROM counted_limits WHERE kind = 'CODES_OF_JOURNEY_A_DAY' GROUP BY kind)`,
    );
    const twelfth = await sendAgain(client);
    expect(twelfth.text).not.toContain('action="/hosted/code/send"');
    await client.post('/hosted/code/send', {
      csrf: csrfOf(client),
      after: (await bench.newestCode(start.id)).id,
    });
    expect(await bench.codesOf(start)).toBe(2);
    await bench.service.travel(24 * 60 * MINUTE);
    await byFreshLink(start);
    expect(await bench.codesOf(start)).toBe(3);
  });

  it('does not grow by pressing the button twice', async () => {
    const { start, client } = await bench.started();
    const form = () => client.submit({}, { action: '/hosted/code/send' });
    await Promise.all([form(), form(), form()]);
    expect(await bench.codesOf(start)).toBe(2);
  });
});
