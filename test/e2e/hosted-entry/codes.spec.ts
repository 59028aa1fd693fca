import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import {
  atCode,
  codeFor,
  HostedClient,
  type HostedPage,
  type HostedStart,
  linkFor,
  newMobile,
  plain,
  startHosted,
} from '../../support/hosted-client.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { startTwoReplicas, type TestService, type TwoReplicas } from '../../support/service.js';

const MINUTE = 60_000;
/** Fewer than by default, so that a test gets there. */
const CODES_PER_ADDRESS = 14;
const WRONG_CODES_PER_ADDRESS = 10;

let configuration: TestConfiguration;
let replicas: TwoReplicas;
let service: TestService;
let records: JourneyRecords;

beforeAll(async () => {
  const settings = {
    codesPerAddressPerHour: CODES_PER_ADDRESS,
    wrongCodesPerAddressPerHour: WRONG_CODES_PER_ADDRESS,
  };
  configuration = configurationWith({ settings });
  const environment = { TRUST_PROXY: '1' };
  replicas = await startTwoReplicas({ configFile: configuration.file, environment });
  service = replicas.first;
  records = new JourneyRecords(service.databaseUrl);
});

afterAll(async () => {
  await records?.close();
  await replicas?.close();
  configuration?.remove();
});

let addresses = 0;

function newAddress(): { address: string } {
  addresses += 1;
  return { address: `203.0.113.${addresses}` };
}

async function started(pan?: string): Promise<{ start: HostedStart; client: HostedClient }> {
  const start = await startHosted(service, pan === undefined ? {} : { pan });
  return { start, client: await atCode(service, start, newAddress()) };
}

/** A code that is not the right one. */
function otherThan(code: string): string {
  return code === '123456' ? '654321' : '123456';
}

async function codesOf({ id }: HostedStart): Promise<number> {
  const rows = await records.query('SELECT id FROM one_time_codes WHERE journey_id = $1', [id]);
  const put = await records.query(
    `SELECT id FROM sms_messages WHERE subject_id = $1 AND kind = 'ONE_TIME_CODE'`,
    [id],
  );
  expect(put).toHaveLength(rows.length);
  return rows.length;
}

const sendAgain = (client: HostedClient): Promise<HostedPage> =>
  client.send303({}, { action: '/hosted/code/send' });

describe('a one-time code', () => {
  it('has six digits, is told to the mobile alone, and is kept as a keyed hash', async () => {
    const { start, client } = await started();
    const code = await codeFor(service, start.mobile);
    expect(code).toMatch(/^\d{6}$/);
    expect(client.page!.text).not.toContain(code);
    const rows = await records.query('SELECT * FROM one_time_codes WHERE journey_id = $1', [
      start.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  it('that is wrong is told as such, with the tries that are left, and five make it void', async () => {
    const { start, client } = await started();
    const code = await codeFor(service, start.mobile);
    for (const left of [4, 3, 2]) {
      const again = await client.submit({ code: otherThan(code) });
      expect(plain(again.text)).toContain(`That is not the code. You have ${left} tries left`);
    }
    expect(plain((await client.submit({ code: otherThan(code) })).text)).toContain('1 try left');
    const spent = await client.submit({ code: otherThan(code) });
    expect(spent.heading).toBe('You need a new code');
    expect(plain(spent.text)).toContain('A wrong code was entered 5 times');
    // The earlier form, with the right code at last.
    const late = await client.post('/hosted/code', { code, csrf: csrfOf(client) });
    expect(late.heading).toBe('You need a new code');
    expect((await client.get('/hosted')).location).toBe('/hosted/code');
  });

  it('that is not well-formed costs no try; Devanagari digits and blanks are understood', async () => {
    const { start, client } = await started();
    const code = await codeFor(service, start.mobile);
    expect(plain((await client.submit({ code: '' })).text)).toContain(
      'Enter the code from the SMS',
    );
    expect(plain((await client.submit({ code: '12345' })).text)).toContain('Enter the 6 digits');
    const typed = Array.from(code, (digit) => String.fromCodePoint(0x966 + Number(digit))).join('');
    const inside = await client.send303({ code: `${typed.slice(0, 3)} ${typed.slice(3)}` });
    expect(inside.path).toBe('/hosted/consent');
  });

  it('runs out after five minutes', async () => {
    const { start, client } = await started();
    const code = await codeFor(service, start.mobile);
    await replicas.travel(5 * MINUTE + 1_000);
    const expired = await client.submit({ code });
    expect(expired.heading).toBe('You need a new code');
    expect(plain(expired.text)).toContain('The code has run out');
    await sendAgain(client);
    const fresh = await codeFor(service, start.mobile, code);
    expect((await client.send303({ code: fresh })).path).toBe('/hosted/consent');
  });

  it('counts no more once a newer one was sent', async () => {
    const { start, client } = await started();
    const first = await codeFor(service, start.mobile);
    await sendAgain(client);
    const second = await codeFor(service, start.mobile, first);
    expect(plain((await client.submit({ code: first })).text)).toContain('That is not the code');
    expect((await client.send303({ code: second })).path).toBe('/hosted/consent');
  });

  it('of another journey, or of another session of this one, opens nothing', async () => {
    const one = await started();
    const two = await started();
    const code = await codeFor(service, two.start.mobile);
    const mine = await codeFor(service, one.start.mobile);
    const answer = await one.client.submit({ code });
    expect(plain(answer.text)).toContain('That is not the code');
    expect((await one.client.send303({ code: mine })).path).toBe('/hosted/consent');
  });

  it('sent off twice in a moment lets the browser in all the same; a wrong one then does not', async () => {
    const { start, client } = await started();
    const code = await codeFor(service, start.mobile);
    // The answer to the first press never reaches these: they keep their earlier cookies.
    const impatient = client.copy();
    const guessing = client.copy();
    expect((await client.submit({ code })).location).toBe('/hosted');
    expect((await guessing.submit({ code: otherThan(code) })).location).toBe('/hosted/link');
    expect((await impatient.send303({ code })).path).toBe('/hosted/consent');
  });

  it('sent off twice too late does not', async () => {
    const { start, client } = await started();
    const code = await codeFor(service, start.mobile);
    const late = client.copy();
    await client.submit({ code });
    await replicas.travel(61_000);
    expect((await late.submit({ code })).location).toBe('/hosted/link');
  });
});

describe('the number of codes', () => {
  it('is three, then a pause whose end is told; after it there are three more', async () => {
    const { start, client } = await started();
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
      after: (await newestCode(start.id)).id,
    });
    expect(forced.location).toBe('/hosted/code');
    expect((await client.get('/hosted/code/send')).location).toBe('/hosted/code');
    expect(await codesOf(start)).toBe(3);

    await replicas.travel(30 * MINUTE);
    await client.open('/hosted/link');
    await client.send303();
    const link = await linkFor(service, start.mobile);
    const again = await atCode(service, { ...start, link }, newAddress());
    const seen = await codeFor(service, start.mobile);
    expect((await again.send303({ code: seen })).path).toBe('/hosted/consent');
  });

  it('is twelve a day, however often the pause is sat out; a day later there are more', async () => {
    const { start, client } = await started();
    const sendByHand = async () =>
      client.post('/hosted/code/send', {
        csrf: csrfOf(client),
        after: (await newestCode(start.id)).id,
      });
    /** A session that is not used for half an hour ends, so it is used. */
    const sitOutThePause = async () => {
      for (let times = 0; times < 2; times += 1) {
        await replicas.travel(20 * MINUTE);
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
    await replicas.travel(24 * 60 * MINUTE);
    const asking = new HostedClient(service.baseUrl, newAddress());
    await asking.open('/hosted/link');
    await asking.send303({ mobile: start.mobile });
    const link = await linkFor(service, start.mobile);
    await atCode(service, { ...start, link }, newAddress());
    expect(await codesOf(start)).toBe(13);
  });

  it('does not grow by pressing the button twice', async () => {
    const { start, client } = await started();
    const form = () => client.submit({}, { action: '/hosted/code/send' });
    await Promise.all([form(), form(), form()]);
    expect(await codesOf(start)).toBe(2);
  });

  it('is limited over the links of a journey: a fresh link does not bring fresh codes', async () => {
    const { start, client } = await started();
    await sendAgain(client);
    await sendAgain(client);
    const other = client.copy();
    other.cookies.delete('session');
    await other.open('/hosted/link');
    await other.send303({ mobile: start.mobile });
    const link = await linkFor(service, start.mobile);
    const again = await atCode(service, { ...start, link }, newAddress());
    expect(again.page!.heading).toBe('You need a new code');
    expect(plain(again.page!.text)).toContain('The next one can be sent after');
    expect(await codesOf(start)).toBe(3);
  });

  it('is limited for all who share a client address, over the replicas, to what the setting says', async () => {
    const { address } = newAddress();
    const opened = await Promise.all(
      Array.from({ length: CODES_PER_ADDRESS + 1 }, async (_, index) => {
        const start = await startHosted(service);
        const { baseUrl } = index % 2 === 0 ? replicas.first : replicas.second;
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
    await replicas.travel(61 * MINUTE);
    const later = await startHosted(service);
    await atCode(service, later, { address });
    expect(await codesOf(later)).toBe(1);
  });
});

describe('guessing', () => {
  it('gets five tries, however many are sent at once, to whichever replica', async () => {
    const { start, client } = await started();
    const code = await codeFor(service, start.mobile);
    const csrf = csrfOf(client);
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const guesses = Array.from({ length: 24 }, (_, index) => {
      const { baseUrl } = index % 2 === 0 ? replicas.first : replicas.second;
      return fetch(`${baseUrl}/hosted/code`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, 'x-forwarded-for': `192.0.2.${index}` },
        body: new URLSearchParams({ csrf, code: otherThan(code) }),
      });
    });
    for (const answer of await Promise.all(guesses)) expect(answer.status).toBe(200);
    const { tries } = await newestCode(start.id);
    expect(tries).toBe(5);
    expect((await client.post('/hosted/code', { csrf, code })).heading).toBe('You need a new code');
  });

  it('over many journeys from one address is locked, and told until when', async () => {
    const { address } = newAddress();
    for (let wrong = 0; wrong < WRONG_CODES_PER_ADDRESS;) {
      const start = await startHosted(service);
      const client = await atCode(service, start, { address });
      const code = await codeFor(service, start.mobile);
      for (let tries = 0; tries < 5; tries += 1, wrong += 1) {
        expect((await client.submit({ code: otherThan(code) })).status).toBe(200);
      }
    }
    const start = await startHosted(service);
    const other = await atCode(service, start, newAddress());
    const code = await codeFor(service, start.mobile);
    const client = new HostedClient(service.baseUrl, { address });
    for (const [name, value] of other.cookies) client.cookies.set(name, value);
    const locked = await client.post('/hosted/code', { csrf: csrfOf(other), code });
    expect(locked.heading).toBe('Please wait a little');
    expect(plain(locked.text)).toContain('Too many wrong codes came from your internet');
    expect(plain(locked.text)).toMatch(/You can try again after \d+ \w+ \d{4}, \d+:\d\d [ap]m/);
    // The code itself has lost nothing: from elsewhere it opens.
    expect((await other.send303({ code })).path).toBe('/hosted/consent');

    await replicas.travel(61 * MINUTE);
    const later = await startHosted(service);
    const again = await atCode(service, later, { address });
    expect(await again.send303({ code: await codeFor(service, later.mobile) })).toMatchObject({
      path: '/hosted/consent',
    });
  });

  it('is not made easier by right codes: they do not count against the address', async () => {
    const { address } = newAddress();
    for (let times = 0; times <= WRONG_CODES_PER_ADDRESS; times += 1) {
      const start = await startHosted(service);
      const client = await atCode(service, start, { address });
      const { location } = await client.submit({ code: await codeFor(service, start.mobile) });
      expect(location).toBe('/hosted');
    }
  });
});

describe('a sign-in', () => {
  it('holds on every replica, and is asked for no more', async () => {
    const { start, client } = await started();
    await client.submit({ code: await codeFor(service, start.mobile) });
    expect((await client.get('/hosted/code')).location).toBe('/hosted');
    const elsewhere = new HostedClient(replicas.second.baseUrl);
    for (const [name, value] of client.cookies) elsewhere.cookies.set(name, value);
    expect((await elsewhere.open('/hosted')).path).toBe('/hosted/consent');
    expect((await elsewhere.send303({ agree: '1' })).path).toBe('/hosted/check');
  });
});

describe('an SMS gateway that is down', () => {
  it('is told as a delay, and the screens go on as soon as the message comes', async () => {
    const { client } = await started('SANDX0011A');
    expect(client.page!.heading).toBe('Enter the code from the SMS');
    expect(plain(client.page!.text)).toContain('The SMS takes longer than usual');
  });
});

describe('personal data', () => {
  it('is in no address and no title on the way in', async () => {
    const mobile = newMobile();
    const start = await startHosted(service, { mobile, pan: 'QWERT1234Z' });
    const client = await atCode(service, start, newAddress());
    const pages = [client.page!];
    pages.push(await client.send303({ code: await codeFor(service, mobile) }));
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

function csrfOf(client: HostedClient): string {
  return /name="csrf" value="([^"]*)"/.exec(client.page!.text)?.[1] ?? '';
}

async function newestCode(journeyId: string): Promise<{ id: string; tries: number }> {
  const [row] = await records.query<{ id: string; tries: number }>(
    `SELECT id, tries FROM one_time_codes WHERE journey_id = $1
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    [journeyId],
  );
  return row;
}
