import { describe, expect, it } from 'vitest';
import { askForLink, atCode, codeFor, linkFor } from '../../support/hosted-client.js';
import { HeldLock } from '../../support/held-lock.js';
import { codeBench, csrfOf, MINUTE, newAddress, otherThan, sendAgain } from './code-bench.js';
import { expectWords } from '../hosted-steps/step-journey.js';

const bench = codeBench();

/** An applicant at the code's page, with the code. */
async function withCode() {
  const { start, client } = await bench.started();
  return { start, client, code: await codeFor(bench.service, start.mobile) };
}

describe('a one-time code', () => {
  it('has six digits, is sent to the mobile only, and is kept as a keyed hash; Devanagari digits and blanks are understood', async () => {
    const { start, client, code } = await withCode();
    expect(code).toMatch(/^\d{6}$/);
    expect(client.page!.text).not.toContain(code);
    const rows = await bench.records.query('SELECT * FROM one_time_codes WHERE journey_id = $1', [
      start.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(code);
    const typed = Array.from(code, (digit) => String.fromCodePoint(0x966 + Number(digit))).join('');
    const inside = await client.send303({ code: `${typed.slice(0, 3)} ${typed.slice(3)}` });
    expect(inside.path).toBe('/hosted/consent');
  });

  it('that is wrong is named as such, with the tries that are left, and five make it void; one that is not well-formed costs none', async () => {
    const { client, code } = await withCode();
    for (const typed of ['', '12345'])
      expectWords(await client.submit({ code: typed }), 'Enter all 6 digits');
    for (const left of [4, 3, 2, 1]) {
      const again = await client.submit({ code: otherThan(code) });
      expectWords(again, `Wrong code. Tries left: ${left}`);
    }
    const spent = await client.submit({ code: otherThan(code) });
    expect(spent.heading).toBe('You need a new code');
    expectWords(spent, 'A wrong code was entered 5 times');
    // An outdated form with the correct code.
    const late = await client.post('/hosted/code', { code, csrf: csrfOf(client) });
    expect(late.heading).toBe('You need a new code');
    expect((await client.get('/hosted')).location).toBe('/hosted/code');
  });

  it('expires after five minutes, and counts no more once a newer one was sent', async () => {
    const { start, client, code } = await withCode();
    await bench.service.travel(5 * MINUTE + 1_000);
    const expired = await client.submit({ code });
    expect(expired.heading).toBe('You need a new code');
    expectWords(expired, 'The code has expired');
    await sendAgain(client);
    const second = await codeFor(bench.service, start.mobile, code);
    await sendAgain(client);
    const third = await codeFor(bench.service, start.mobile, second);
    expectWords(await client.submit({ code: second }), 'Wrong code');
    expect((await client.send303({ code: third })).path).toBe('/hosted/consent');
  });

  it('of another session of the journey opens nothing', async () => {
    const { start, client, code } = await withCode();
    await askForLink(bench.service, start.mobile, newAddress());
    const link = await linkFor(bench.service, start.mobile, start.link);
    await atCode(bench.service, { ...start, link }, newAddress());
    const other = await codeFor(bench.service, start.mobile, code);
    expectWords(await client.submit({ code: other }), 'Wrong code');
  });

  it('of another journey opens nothing', async () => {
    const [one, two] = [await withCode(), await withCode()];
    const answer = await one.client.submit({ code: two.code });
    expectWords(answer, 'Wrong code');
    expect((await one.client.send303({ code: one.code })).path).toBe('/hosted/consent');
  });

  it('sent off twice in a moment lets the browser in all the same; a wrong one then does not, nor one a minute later', async () => {
    const { client, code } = await withCode();
    // These tabs miss the response to the first press, so they keep their earlier cookies.
    const [impatient, guessing, late] = [client.copy(), client.copy(), client.copy()];
    expect((await client.submit({ code })).location).toBe('/hosted');
    expect((await guessing.submit({ code: otherThan(code) })).location).toBe('/hosted/link');
    expect((await impatient.send303({ code })).path).toBe('/hosted/consent');
    await bench.service.travel(61_000);
    expect((await late.submit({ code })).location).toBe('/hosted/link');
  });

  it('that was used becomes void after five tries, too', async () => {
    const { client, code } = await withCode();
    const [impatient, ...guessing] = Array.from({ length: 5 }, () => client.copy());
    await client.submit({ code });
    for (const tab of guessing) await tab.submit({ code: otherThan(code) });
    expect((await impatient.submit({ code })).location).toBe('/hosted/link');
  });

  it('that is tried waits for its journey before it holds the code, as an erasure does', async () => {
    const { start, client, code } = await withCode();
    // An erasure locks the journey, and then deletes its codes.
    const erasing = await HeldLock.take(
      bench.service.databaseUrl,
      'SELECT 1 FROM journeys WHERE id = $1 FOR UPDATE',
      [start.id],
    );
    const tried = client.submit({ code });
    // Waits with any statement.
    await erasing.waiting('');
    await erasing.query(`SET LOCAL lock_timeout = '100ms'`);
    await erasing.query('DELETE FROM one_time_codes WHERE journey_id = $1', [start.id]);
    await erasing.release({ keep: true });
    expect((await tried).status).toBeLessThan(500);
    expect((await client.get('/hosted')).location).toBe('/hosted/code');
  });
});

it('an SMS gateway that is down is displayed as a delay', async () => {
  const { client } = await bench.started('SANDX0011A');
  expect(client.page!.heading).toBe('Enter the code');
  expectWords(client.page!, 'The SMS takes longer than usual');
});
