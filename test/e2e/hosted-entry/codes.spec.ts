import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atCode, codeFor, newMobile, plain, startHosted } from '../../support/hosted-client.js';
import { HeldLock } from '../../support/held-lock.js';
import { CodeBench, csrfOf, MINUTE, newAddress, otherThan, sendAgain } from './code-bench.js';

let bench: CodeBench;

beforeAll(async () => {
  bench = await CodeBench.start();
});

afterAll(() => bench.close());

describe('a one-time code', () => {
  it('has six digits, is sent to the mobile only, and is kept as a keyed hash', async () => {
    const { start, client } = await bench.started();
    const code = await codeFor(bench.service, start.mobile);
    expect(code).toMatch(/^\d{6}$/);
    expect(client.page!.text).not.toContain(code);
    const rows = await bench.records.query('SELECT * FROM one_time_codes WHERE journey_id = $1', [
      start.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  it('that is wrong is rejected with the number of tries left, and five make it void', async () => {
    const { start, client } = await bench.started();
    const code = await codeFor(bench.service, start.mobile);
    for (const left of [4, 3, 2]) {
      const again = await client.submit({ code: otherThan(code) });
      expect(plain(again.text)).toContain(`Wrong code. Tries left: ${left}`);
    }
    expect(plain((await client.submit({ code: otherThan(code) })).text)).toContain('Tries left: 1');
    const spent = await client.submit({ code: otherThan(code) });
    expect(spent.heading).toBe('You need a new code');
    expect(plain(spent.text)).toContain('A wrong code was entered 5 times');
    // The earlier form, with the right code.
    const late = await client.post('/hosted/code', { code, csrf: csrfOf(client) });
    expect(late.heading).toBe('You need a new code');
    expect((await client.get('/hosted')).location).toBe('/hosted/code');
  });

  it('that is not well-formed costs no try; Devanagari digits and blanks are understood', async () => {
    const { start, client } = await bench.started();
    const code = await codeFor(bench.service, start.mobile);
    expect(plain((await client.submit({ code: '' })).text)).toContain('Enter all 6 digits');
    expect(plain((await client.submit({ code: '12345' })).text)).toContain('Enter all 6 digits');
    const typed = Array.from(code, (digit) => String.fromCodePoint(0x966 + Number(digit))).join('');
    const inside = await client.send303({ code: `${typed.slice(0, 3)} ${typed.slice(3)}` });
    expect(inside.path).toBe('/hosted/consent');
  });

  it('expires after five minutes, and counts no more once a newer one was sent', async () => {
    const { start, client } = await bench.started();
    const code = await codeFor(bench.service, start.mobile);
    await bench.service.travel(5 * MINUTE + 1_000);
    const expired = await client.submit({ code });
    expect(expired.heading).toBe('You need a new code');
    expect(plain(expired.text)).toContain('The code has expired');
    await sendAgain(client);
    const second = await codeFor(bench.service, start.mobile, code);
    await sendAgain(client);
    const third = await codeFor(bench.service, start.mobile, second);
    expect(plain((await client.submit({ code: second })).text)).toContain('Wrong code');
    expect((await client.send303({ code: third })).path).toBe('/hosted/consent');
  });

  it('of another journey, or of another session of this one, opens nothing', async () => {
    const one = await bench.started();
    const two = await bench.started();
    const code = await codeFor(bench.service, two.start.mobile);
    const mine = await codeFor(bench.service, one.start.mobile);
    const answer = await one.client.submit({ code });
    expect(plain(answer.text)).toContain('Wrong code');
    expect((await one.client.send303({ code: mine })).path).toBe('/hosted/consent');
  });

  it('sent off twice in a moment lets the browser in all the same; a wrong one then does not, nor one a minute later', async () => {
    const { start, client } = await bench.started();
    const code = await codeFor(bench.service, start.mobile);
    // These tabs miss the response to the first press, so they keep their earlier cookies.
    const [impatient, guessing, late] = [client.copy(), client.copy(), client.copy()];
    expect((await client.submit({ code })).location).toBe('/hosted');
    expect((await guessing.submit({ code: otherThan(code) })).location).toBe('/hosted/link');
    expect((await impatient.send303({ code })).path).toBe('/hosted/consent');
    await bench.service.travel(61_000);
    expect((await late.submit({ code })).location).toBe('/hosted/link');
  });

  it('that is tried waits for its journey before it holds the code, as an erasure does', async () => {
    const { start, client } = await bench.started();
    const code = await codeFor(bench.service, start.mobile);
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

describe('an SMS gateway that is down', () => {
  it('is displayed as a delay, and the screens go on as soon as the message comes', async () => {
    const { client } = await bench.started('SANDX0011A');
    expect(client.page!.heading).toBe('Enter the code');
    expect(plain(client.page!.text)).toContain('The SMS takes longer than usual');
  });
});

describe('personal data', () => {
  it('is in no address and no title on the way in', async () => {
    const mobile = newMobile();
    const start = await startHosted(bench.service, { mobile, pan: 'QWERT1234Z' });
    const client = await atCode(bench.service, start, newAddress());
    const pages = [client.page!];
    pages.push(await client.send303({ code: await codeFor(bench.service, mobile) }));
    pages.push(await client.send303({ agree: '1' }));
    for (const page of pages) {
      const title = /<title>(.*)<\/title>/.exec(page.text)?.[1] ?? '';
      expect(title).not.toBe('');
      const hrefs = [...page.text.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, at]) => at);
      for (const secret of [mobile, 'QWERT1234Z', 'Asha', start.id]) {
        expect([page.path, title, ...hrefs].join('\n')).not.toContain(secret);
      }
      expect(page.text).not.toContain(mobile);
      expect(page.text).not.toContain('QWERT1234Z');
    }
  });
});
