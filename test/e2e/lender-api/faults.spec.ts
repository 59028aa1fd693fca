import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LenderBench, sessionFields } from './lender-bench.js';
import type { Json, LenderAnswer } from './rinpath-stand-in.js';

const instalmentOf = (body: Json) =>
  ((body.offers as Json[])[0].repayment as { instalment: unknown }).instalment;

describe('the faults that can be ordered of the reference lender', () => {
  const bench = new LenderBench({ isTold: true });

  beforeAll(() => bench.start());
  afterAll(() => bench.stop());
  afterEach(async () => {
    await bench.admin('DELETE', '/faults');
  });

  const answersTo = (key: string) =>
    bench.rinpath.told.filter(({ body }) => body.questionId === key);

  it('come as often as they were ordered, for that lender and message alone', async () => {
    await bench.fault('offers', 'unavailable', { times: 2 });
    expect((await bench.askOffers({}, {}, 'kaverisetu')).status).toBe(200);
    expect((await bench.rinpath.loan('navdhara', 'rinpath-ping')).status).toBe(200);
    const statuses = [];
    for (let time = 0; time < 3; time += 1) statuses.push((await bench.askOffers()).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('outlive a restart, and stay until they are taken back', async () => {
    await bench.fault('*', 'error', { times: null, lender: '*' });
    await bench.restart();
    expect((await bench.askOffers()).status).toBe(500);
    expect((await bench.askOffers({}, {}, 'kaverisetu')).status).toBe(500);
    await bench.admin('DELETE', '/faults');
    expect((await bench.askOffers()).status).toBe(200);
  });

  it('keep what was decided: the question asked again has its verdict, and once', async () => {
    const chosen = await bench.choose();
    const choice = { ...chosen.about, loanAmount: 20_000_000, keyFactsHash: 'd'.repeat(64) };
    const ask = (signal?: AbortSignal) =>
      bench.ask('selections', choice, { key: 'qst_lost', signal });
    const made = async () =>
      (await bench.books()).selections.filter(({ key }) => key === 'qst_lost');
    const unanswered = ['silent', 'slow', 'half-body'];
    for (const [asked, kind] of unanswered.entries()) {
      await bench.fault('selections', kind);
      const given = new AbortController();
      const answer = ask(given.signal).catch(() => null);
      await expect.poll(made).toMatchObject([{ timesAsked: asked + 1 }]);
      given.abort();
      expect(await answer).toBeNull();
    }
    for (const kind of ['wrong-signature', 'other-question']) {
      await bench.fault('selections', kind);
      const { claims, jti } = await ask();
      expect(claims?.req === jti).toBe(false);
    }
    expect((await ask()).body.verdict).toBe('ACCEPTED');
    expect(await made()).toMatchObject([{ timesAsked: 6 }]);
  });

  it.each(['silent', 'slow', 'half-body', 'endless'])(
    '%s: no answer that ends well in time',
    async (kind) => {
      await bench.fault('offers', kind);
      await expect(bench.askOffers({}, { timeoutMs: 300 })).rejects.toThrow(/terminated|timeout/i);
    },
  );

  it.each(['unsigned', 'wrong-signature', 'other-key'])(
    '%s: no signature of this lender',
    async (kind) => {
      await bench.fault('offers', kind);
      expect(await bench.askOffers()).toMatchObject({ status: 200, claims: null });
    },
  );

  it.each<[string, (answer: LenderAnswer) => unknown, unknown]>([
    ['other-question', ({ claims, jti }) => claims!.req === jti, false],
    ['stale-signature', ({ claims }) => (claims!.iat as number) < Date.now() / 1000 - 3_000, true],
    ['oversized', ({ text, claims }) => text.length > 256 * 1024 && claims !== null, true],
    ['gzip-bomb', ({ text }) => text.length, 10 * 1024 * 1024],
    ['wrong-types', ({ body, claims }) => claims && Array.isArray(body.offers), false],
    ['absurd-amounts', ({ body }) => (instalmentOf(body) as number) > 1e15, true],
    ['html', ({ text }) => text.includes('<script>'), true],
  ])('%s: rightly signed or not, what a lender must not answer', async (kind, seen, expected) => {
    const right = await bench.askOffers();
    expect(seen(right)).not.toEqual(expected);
    await bench.fault('offers', kind);
    expect(seen(await bench.askOffers())).toEqual(expected);
  });

  it('late: pending when asked, told afterwards', async () => {
    await bench.fault('offers', 'late', { seconds: 60 });
    const key = 'qst_late';
    expect((await bench.askOffers({}, { key })).status).toBe(202);
    expect((await bench.askOffers({}, { key })).status).toBe(202);
    bench.passTime(60);
    await expect.poll(() => answersTo(key)).toHaveLength(1);
    const again = await bench.askOffers({}, { key });
    expect(again.body).toEqual(answersTo(key)[0].body.answer);
  });

  it('late-poll: pending when asked, given when asked again, and not told', async () => {
    await bench.fault('offers', 'late-poll', { seconds: 1 });
    const key = 'qst_late_poll';
    const pending = { status: 202, body: { askAgainAfterSeconds: 1 } };
    expect(await bench.askOffers({}, { key })).toMatchObject(pending);
    await expect.poll(async () => (await bench.askOffers({}, { key })).status).toBe(200);
    expect(answersTo(key)).toEqual([]);
  });

  it('varied: every question has its verdict in the end, told or given, and only one', async () => {
    await bench.fault('offers', 'varied', { times: null, seconds: 1 });
    const keys = Array.from({ length: 20 }, (_, index) => `qst_varied_${index}`);
    await Promise.all(keys.map((key) => bench.askOffers({}, { key })));
    await bench.admin('DELETE', '/faults');
    for (const key of keys) {
      await expect.poll(async () => (await bench.askOffers({}, { key })).status).toBe(200);
      const { body } = await bench.askOffers({}, { key });
      for (const message of answersTo(key)) expect(message.body.answer).toEqual(body);
    }
  });

  it('out-of-order: told after what was asked later', async () => {
    // Of a lender that has nothing else to tell: what is held waits for its lender's next message.
    const lender = 'kaverisetu';
    await bench.fault('offers', 'out-of-order', { lender });
    await bench.askOffers({}, { key: 'qst_first' }, lender);
    await bench.fault('offers', 'late', { lender, seconds: 1 });
    await bench.askOffers({}, { key: 'qst_second' }, lender);
    await expect.poll(() => answersTo('qst_first')).toHaveLength(1);
    await expect.poll(() => answersTo('qst_second')).toHaveLength(1);
    const [first] = answersTo('qst_first');
    const [second] = answersTo('qst_second');
    expect(second.atMs).toBeLessThan(first.atMs);
  });

  it('twice: answered, and told twice more', async () => {
    await bench.fault('offers', 'twice');
    const { body } = await bench.askOffers({}, { key: 'qst_twice' });
    await expect.poll(() => answersTo('qst_twice')).toHaveLength(2);
    for (const message of answersTo('qst_twice')) expect(message.body.answer).toEqual(body);
  });

  it('two-rupees-off: an instalment that does not add up, rightly signed', async () => {
    const right = await bench.askOffers({}, { key: 'qst_off' });
    await bench.fault('offers', 'two-rupees-off');
    const { body, claims } = await bench.askOffers({}, { key: 'qst_off' });
    expect(claims).not.toBeNull();
    expect(instalmentOf(body)).toBe((instalmentOf(right.body) as number) + 200);
  });

  it('javascript-address: what must not reach a page', async () => {
    const chosen = await bench.choose();
    await bench.fault('sessions', 'javascript-address');
    const session = await bench.ask('sessions', sessionFields(chosen, 'KYC'));
    expect(session.body.url).toMatch(/^javascript:/);
  });

  it('reach what is told, too', async () => {
    const lender = 'navdhara';
    await bench.fault('answers', 'wrong-signature');
    await bench.fault('offers', 'late', { seconds: 1 });
    await bench.askOffers({}, { key: 'qst_told_wrong' });
    await expect.poll(() => answersTo('qst_told_wrong')).toHaveLength(2);
    const [first, second] = answersTo('qst_told_wrong');
    expect(first.claims).toBeNull();
    expect(second.claims).not.toBeNull();
    const forged = { lender, message: 'answers', id: 'made-up', body: { questionId: 'x' } };
    const { body } = await bench.admin('POST', '/messages', forged);
    expect(body).toMatchObject({ status: 202, isSigned: true });
  });

  it.each([
    [{ kind: 'boredom' }, 400],
    [{ lender: 'nobody' }, 400],
    [{ times: 'often' }, 400],
  ])('are not taken as %o', async (more, status) => {
    const order = { lender: 'navdhara', message: 'offers', kind: 'slow', times: 1 };
    expect((await bench.admin('POST', '/faults', { ...order, ...more })).status).toBe(status);
  });
});
