import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type NewFlag, OperatorFlags } from '../../../src/operator-flags/index.js';
import { OperatorFlagMetrics } from '../../../src/operator-flags/operator-flag-metrics.js';
import { Database, type Tx } from '../../../src/platform/index.js';
import { runAdminWith } from '../../support/admin-command.js';
import type { TestService } from '../../support/service.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';
import { CallbackBench } from '../lender-api/callback-bench.js';

const SUBJECTS = ['together', 'gauged', 'logged', 'listed'];

let bench: CallbackBench;
let replicas: SharedReplicas;

beforeAll(async () => {
  replicas = await sharedReplicas();
  bench = await CallbackBench.open();
});

afterAll(async () => {
  // Other files of the worker use the same database.
  await query('DELETE FROM operator_flags WHERE subject_id = ANY ($1)', [SUBJECTS]);
  await bench.close();
});

interface Flag {
  readonly kind: string;
  readonly count: number;
  readonly detail: Record<string, unknown>;
  readonly hasLasted: boolean;
}

const FLAGS = `
  SELECT *, last_seen_at > created_at AS "hasLasted"
  FROM operator_flags WHERE subject_id = $1 ORDER BY id
`;

it('whatever a lender writes, it raises one flag for each word of the protocol', async () => {
  const journey = await bench.journeys.startWithOffers();
  await journey.select();
  for (let message = 0; message < 10; message += 1) {
    const event = await bench.loanEvent(journey, {
      event: message % 2 === 0 ? 'MANDATE_REVOKED' : `MADE_UP_${message}`,
      loanReference: `LOAN-${message}`,
      happenedAt: `2026-11-25T09:00:${10 + message}+05:30`,
      amount: 1_000 + message,
      detail: `Text ${message}`,
    });
    expect((await bench.lender.tell('loan-events', event)).status).toBe(202);
  }
  const flags = await bench.journeys.query<Flag>(FLAGS, [journey.id]);
  expect(flags.map(({ kind, detail }) => [kind, detail['event']])).toEqual(
    ['MANDATE_REVOKED', 'OTHER'].map((event) => ['LOAN_EVENT', event]),
  );
  expect(flags.map(({ count }) => count)).toEqual([5, 5]);
  expect(flags.at(-1)!.detail['amount']).toBe(1_009);
});

const query = <Row extends object>(sql: string, values: unknown[] = []) =>
  replicas.first.get<Database>(Database).query<Row & Record<string, unknown>>(sql, values);

const inTransaction = (work: (flags: OperatorFlags, tx: Tx) => Promise<void>) =>
  replicas.first
    .get<Database>(Database)
    .transaction((tx) => work(replicas.first.get<OperatorFlags>(OperatorFlags), tx));

function raiseFlag(flag: Partial<NewFlag<'LENDER_SILENT'>>, from: TestService = replicas.first) {
  const whole = { partnerId: '-', subjectId: 'navdhara', cause: ['GIVEN_UP'], detail: {}, ...flag };
  return from
    .get<Database>(Database)
    .transaction((tx) =>
      from.get<OperatorFlags>(OperatorFlags).raise(tx, { kind: 'LENDER_SILENT', ...whole }),
    );
}

const resolve = (subjectId: string) =>
  inTransaction((flags, tx) => flags.resolve(tx, { subjectId, kind: 'LENDER_SILENT' }, {}));

it('the same on two replicas at once is one flag; another cause, or one after its end, is another', async () => {
  const { first, second } = replicas;
  const subjectId = 'together';
  const raise = (cause: string, from = first) => raiseFlag({ subjectId, cause: [cause] }, from);
  const flags = async () =>
    (await query<Flag>(FLAGS, [subjectId])).map(({ count, hasLasted }) => [count, hasLasted]);
  await Promise.all(
    Array.from({ length: 20 }, (_, turn) => [
      raise('one', first),
      raise(turn < 5 ? 'other' : 'one', second),
    ]).flat(),
  );
  expect((await flags()).toSorted(([one], [other]) => Number(other) - Number(one))).toEqual([
    [35, true],
    [5, true],
  ]);
  await resolve(subjectId);
  await raise('one');
  expect(await flags()).toHaveLength(3);
});

it('the gauge of open flags is the same on both replicas from the start on, falls when a flag is closed, and is away with the database', async () => {
  const { first, second } = replicas;
  const shown = async ({ baseUrl }: TestService) => {
    const text = await (await fetch(`${baseUrl}/metrics`)).text();
    return text.split('\n').filter((line) => line.startsWith('operator_flags_open{'));
  };
  expect(await shown(second)).toContain('operator_flags_open{kind="PARTITION_MISSING"} 0');
  const measure = async () => {
    const lines = await Promise.all(
      [first, second].map(async (one) => {
        await one.get<OperatorFlagMetrics>(OperatorFlagMetrics).measure();
        return (await shown(one)).find((line) => line.includes('"LENDER_SILENT"'))!;
      }),
    );
    return lines.map((line) => Number(line.split(' ')[1]));
  };
  const [before] = await measure();
  await raiseFlag({ subjectId: 'gauged' });
  await raiseFlag({ subjectId: 'gauged', cause: ['other'] }, second);
  expect(await measure()).toEqual([before + 2, before + 2]);
  await resolve('gauged');
  expect(await measure()).toEqual([before, before]);
  vi.spyOn(Logger.prototype, 'error').mockReturnValue();
  const flags = second.get<OperatorFlags>(OperatorFlags);
  vi.spyOn(flags, 'countOpen').mockRejectedValue(new Error('away'));
  await second.get<OperatorFlagMetrics>(OperatorFlagMetrics).measure();
  expect(await shown(second)).toEqual([]);
  vi.restoreAllMocks();
});

describe('the log', () => {
  afterEach(() => vi.restoreAllMocks());

  it('has a line of a new flag, and again with each digit of its count, without its detail; none when it is rolled back', async () => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
    const flag = { subjectId: 'logged', partnerId: 'demo', detail: { failure: 'A. Verma' } };
    for (let turn = 0; turn < 11; turn += 1) await raiseFlag(flag);
    await raiseFlag({ ...flag, count: 300 });
    const lost = inTransaction(async (flags, tx) => {
      const rolledBack = { subjectId: 'logged', kind: 'PARTITION_MISSING' as const };
      await flags.raise(tx, { ...rolledBack, partnerId: '-', cause: [], detail: {} });
      throw new Error('lost');
    });
    await expect(lost).rejects.toThrow('lost');
    const lines = logged.mock.calls
      .map(([line]) => line as { subject?: string })
      .filter(({ subject }) => subject === 'logged');
    const about = { kind: 'LENDER_SILENT', subject: 'logged', partner: 'demo', cause: 'GIVEN_UP' };
    const line = { msg: 'flag raised', flag: expect.any(Number) as number, ...about };
    expect(lines).toEqual([1, 10, 311].map((count) => ({ ...line, count })));
  });
});

// What a note and a kind may be: src/admin/commands/option-readers.spec.ts.
describe('admin flags', () => {
  const admin = (...parameters: string[]) =>
    runAdminWith({ OPERATOR: 'asha' }, replicas.first.databaseUrl, 'flags', ...parameters);

  it('list shows open flags by kind, subject and partner, with --all resolved ones; show has the facts and what to do; resolve keeps the note and who wrote it, in the audit, too; once', async () => {
    for (const failure of ['first time', 'timed out'])
      await raiseFlag({ subjectId: 'listed', partnerId: 'demo', detail: { kind: 'KYC', failure } });
    const [flag] = await query<{ id: number }>(
      `SELECT id FROM operator_flags WHERE subject_id = 'listed'`,
    );
    const id = String(flag.id);
    const line = new RegExp(`^${id} +LENDER_SILENT +listed +demo +2 +\\S+Z +\\S+Z$`, 'm');
    expect((await admin('list', '--kind', 'lender_silent', '--partner', 'demo')).out).toMatch(line);
    const ofSubject = ['list', '--subject', 'listed'];
    expect((await admin(...ofSubject)).out).toMatch(line);
    expect((await admin(...ofSubject, '--kind', 'REFUND_FAILED')).out).toBe('(none)');
    const { out } = await admin('show', id);
    for (const text of ['LENDER_SILENT, open', 'What to do: Run `admin lenders ping`'])
      expect(out).toContain(text);
    expect((await admin('show', '999999')).error).toBe('Error: There is no flag 999999.');
    expect(out).toMatch(/^failure +timed out$/m);
    expect(out).toMatch(/^first +{.*"first time".*}$/m);

    const commands = () => query('SELECT FROM operator_commands');
    const before = (await commands()).length;
    const personal = await admin('resolve', id, '--note', 'call 9876543210');
    expect([personal.code, (await commands()).length]).toEqual([2, before]);
    const note = 'The lender is back since 2026-11-27';
    expect(await admin('resolve', id, '--note', note)).toMatchObject({ code: 0, error: '' });
    const [command] = await query(
      'SELECT command, parameters, given_by FROM operator_commands ORDER BY id DESC LIMIT 1',
    );
    expect(command).toEqual({
      command: 'flags resolve',
      parameters: { arguments: [id], note },
      given_by: 'asha',
    });
    expect((await admin('show', id)).out).toContain(`by asha: ${note}`);
    expect((await admin(...ofSubject)).out).toBe('(none)');
    expect((await admin(...ofSubject, '--all')).out).toContain('resolved');
    expect(await admin('resolve', id, '--note', 'again')).toMatchObject({
      code: 1,
      error: `Error: There is no open flag ${id}.`,
    });
  });
});
