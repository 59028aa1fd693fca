import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuditRoots } from '../../../src/audit/index.js';
import { AuditTasks } from '../../../src/audit/audit.tasks.js';
import { AuditIntakesRepository } from '../../../src/audit/store/audit-intakes.repository.js';
import { AuditRootsRepository } from '../../../src/audit/store/audit-roots.repository.js';
import { AUDIT_TRAIL } from '../../../src/audit-trail.js';
import { Database } from '../../../src/platform/index.js';
import { AuditBench } from './audit-bench.js';

const DAY_MS = 86_400_000;

let bench: AuditBench;
let subjects = 0;
let subject: string;
let clients: Client[];

beforeAll(async () => {
  bench = await AuditBench.open();
  clients = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = new Client({ connectionString: bench.databaseUrl });
      await client.connect();
      return client;
    }),
  );
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await bench?.close();
});

beforeEach(() => {
  subjects += 1;
  subject = `subject-${subjects}`;
});

/** Any row of an audit. */
const INSERT = `INSERT INTO operator_commands (subject_id, command, parameters, given_by)
  VALUES ($1, $2, '{}', 'test')`;

interface Entry {
  readonly position: number;
  readonly event: string;
  readonly command: string;
}

function entriesOf(subjectId: string): Promise<Entry[]> {
  return bench.query<Entry>(
    `SELECT position, entry::jsonb ->> 'event' AS event, entry::jsonb -> 'row' ->> 'command' AS command
     FROM audit_entries WHERE subject_id = $1 ORDER BY position`,
    [subjectId],
  );
}

async function faultsOf(subjectId: string): Promise<unknown[]> {
  return [...(await bench.verification.verifySubject(subjectId)).faults];
}

describe('a chain', () => {
  it('takes what many transactions write at the same moment, one after another', async () => {
    const write = async (client: Client, index: number) => {
      for (let turn = 0; turn < 25; turn += 1) {
        await client.query('BEGIN');
        await client.query(INSERT, [subject, `${index}-${turn}`]);
        await client.query(INSERT, [subject, `${index}-${turn}-again`]);
        await client.query('COMMIT');
      }
    };
    await Promise.all(clients.map(write));
    const entries = await entriesOf(subject);
    expect(entries.map(({ position }) => position)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
    expect(new Set(entries.map(({ command }) => command)).size).toBe(200);
    expect(await faultsOf(subject)).toEqual([]);
  });

  it('is locked at the commit alone, and never for another subject', async () => {
    const [one, other] = clients;
    await one.query('BEGIN');
    await one.query(INSERT, [subject, 'first']);
    await other.query(`SET lock_timeout = '200ms'`);
    // Nothing is locked before the commit.
    await other.query(INSERT, [subject, 'second']);
    await one.query('SET CONSTRAINTS ALL IMMEDIATE');
    await other.query(INSERT, [`${subject}-b`, 'third']);
    await expect(other.query(INSERT, [subject, 'fourth'])).rejects.toThrow('lock timeout');
    await one.query('COMMIT');
    await other.query('RESET lock_timeout');
    expect((await entriesOf(subject)).map(({ command }) => command)).toEqual(['second', 'first']);
    expect(await faultsOf(subject)).toEqual([]);
  });

  it('has nothing of a transaction that was rolled back', async () => {
    const [one] = clients;
    await one.query('BEGIN');
    await one.query(INSERT, [subject, 'never']);
    await one.query('SET CONSTRAINTS ALL IMMEDIATE');
    await one.query('ROLLBACK');
    await one.query(INSERT, [subject, 'first']);
    expect(await entriesOf(subject)).toMatchObject([{ position: 1, command: 'first' }]);
  });

  it('is the same in whatever time zone a row was written', async () => {
    const [one] = clients;
    await one.query(`SET timezone = 'Asia/Kolkata'`);
    await one.query(INSERT, [subject, 'first']);
    await one.query('RESET timezone');
    expect(await faultsOf(subject)).toEqual([]);
  });
});

describe('rows from before their table joined', () => {
  const newTasks = () => {
    const { service } = bench.callbacks.journeys;
    return new AuditTasks(
      AUDIT_TRAIL.sources,
      service.get(Database),
      service.get(AuditIntakesRepository),
      service.get(AuditRoots),
    );
  };

  beforeEach(() => bench.forgetIntakes());

  it('are taken in once, in their order, by however many replicas, beside what is written meanwhile', async () => {
    // As a replica without triggers has left them.
    for (let index = 0; index < 500; index += 1) {
      await bench.query(INSERT, [`${subject}-${index % 7}`, `old ${index}`]);
    }
    const [one] = clients;
    await one.query(INSERT, [`${subject}-0`, 'new']);
    await one.query(
      `UPDATE operator_commands SET given_by = given_by WHERE command = 'old 7' AND subject_id = $1`,
      [`${subject}-0`],
    );
    const before = await bench.verification.verify();
    expect(before.notTakenIn).toContain('operator_commands');
    expect(before.faults).toEqual([]);
    await Promise.all([newTasks().takeIn(), newTasks().takeIn(), bench.query('SELECT 1')]);
    for (const _ of [1, 2, 3]) await newTasks().takeIn();
    const after = await bench.verification.verify();
    expect({ faults: after.faults, notTakenIn: after.notTakenIn }).toEqual({
      faults: [],
      notTakenIn: [],
    });
    const first = await entriesOf(`${subject}-0`);
    expect(first.slice(0, 3)).toMatchObject([
      { event: 'INSERT', command: 'new' },
      { event: 'UPDATE', command: 'old 7' },
      { event: 'TAKEN_IN', command: 'old 0' },
    ]);
    const other = await entriesOf(`${subject}-3`);
    const numbers = other.map(({ command }) => Number(command.slice(4)));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(other.every(({ event }) => event === 'TAKEN_IN')).toBe(true);
    expect(other).toHaveLength(71);
  });

  it('are taken in by the order of their subjects, as everything that writes of several', async () => {
    await bench.query(INSERT, [`${subject}-b`, 'old']);
    await bench.query(INSERT, [`${subject}-a`, 'old']);
    const [one] = clients;
    await one.query('BEGIN');
    await one.query(INSERT, [`${subject}-a`, 'new']);
    await one.query('SET CONSTRAINTS ALL IMMEDIATE');
    const takenIn = newTasks().takeIn();
    await setTimeout(100);
    await one.query(`SET LOCAL lock_timeout = '50ms'`);
    await one.query(INSERT, [`${subject}-b`, 'new']);
    await one.query('COMMIT');
    await takenIn;
    await newTasks().takeIn();
    expect(await entriesOf(`${subject}-a`)).toMatchObject([{ command: 'new' }, { command: 'old' }]);
    expect(await entriesOf(`${subject}-b`)).toMatchObject([{ command: 'new' }, { command: 'old' }]);
  });

  it('give way to whoever has the chains in another order, and are taken in later', async () => {
    await bench.query(INSERT, [`${subject}-a`, 'old']);
    await bench.query(INSERT, [`${subject}-b`, 'old']);
    const [one] = clients;
    await one.query('BEGIN');
    await one.query(INSERT, [`${subject}-b`, 'new']);
    await one.query('SET CONSTRAINTS ALL IMMEDIATE');
    const takenIn = newTasks().takeIn();
    await setTimeout(50);
    // Before PostgreSQL would look for a deadlock, which it does after a second.
    await one.query(`SET LOCAL lock_timeout = '900ms'`);
    await one.query(INSERT, [`${subject}-a`, 'new']);
    await one.query('COMMIT');
    await takenIn;
    await newTasks().takeIn();
    expect(await entriesOf(`${subject}-a`)).toHaveLength(2);
    expect((await bench.verification.verify()).faults).toEqual([]);
  });

  it('go on being looked for when the replica that was at it has died', async () => {
    for (let index = 0; index < 10; index += 1)
      await bench.query(INSERT, [subject, `old ${index}`]);
    const [one] = clients;
    await newTasks().takeIn();
    await bench.forgetIntakes();
    await one.query('INSERT INTO audit_intakes (source) VALUES ($1)', [
      AUDIT_TRAIL.sources[0].table,
    ]);
    await one.query('BEGIN');
    await one.query('SELECT 1 FROM audit_intakes FOR UPDATE');
    const tasks = newTasks();
    await tasks.takeIn();
    await one.query('ROLLBACK');
    await tasks.takeIn();
    expect((await bench.verification.verify()).notTakenIn).toEqual([]);
    expect(await entriesOf(subject)).toHaveLength(10);
  });
});

describe('the root of a day', () => {
  it('is signed once, of what has grown since the last one, whichever replica is first', async () => {
    const { service } = bench.callbacks.journeys;
    const [one] = clients;
    const roots = service.get(AuditRoots);
    await one.query(INSERT, [`${subject}-a`, 'first']);
    await one.query(INSERT, [`${subject}-b`, 'first']);
    await Promise.all([roots.closeDay(), roots.closeDay()]);
    await roots.closeDay();
    const [first, ...none] = await roots.list();
    expect(none).toEqual([]);
    // A day without anything has a root, too.
    await service.travel(DAY_MS);
    await roots.closeDay();
    await service.travel(DAY_MS);
    await one.query(INSERT, [`${subject}-b`, 'second']);
    await roots.closeDay();
    const [, second, third] = await roots.list();
    expect([second.treeSize, third.treeSize]).toEqual([0, 1]);
    expect([first.number, second.number, third.number]).toEqual([1, 2, 3]);
    expect(new Set([first.day, second.day, third.day]).size).toBe(3);
    const leaves = await bench.query(
      `SELECT root_number, position FROM audit_leaves WHERE subject_id LIKE $1 ORDER BY 1, 2`,
      [`${subject}-%`],
    );
    expect(leaves).toEqual([
      { root_number: 1, position: 1 },
      { root_number: 1, position: 1 },
      { root_number: 3, position: 2 },
    ]);
    expect(await bench.verification.verify()).toMatchObject({ faults: [], warnings: [] });
    await service.travel(2 * DAY_MS);
    expect((await bench.verification.verify()).warnings).toEqual([
      expect.stringContaining('No root is there of'),
    ]);
  });

  it('has several trees when there is much, each of which goes on where the one before ended', async () => {
    const { service } = bench.callbacks.journeys;
    const roots = service.get(AuditRootsRepository);
    const [one] = clients;
    const all = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${subject}-${letter}`);
    await service.get(AuditRoots).closeDay();
    for (const each of all) await one.query(INSERT, [each, 'first']);
    const planted: (readonly string[])[] = [];
    const undone = service.get(Database).transaction(async (tx) => {
      const before = await roots.last(tx);
      const number = (before?.number ?? 0) + 1;
      for (const index of [0, 1, 2]) {
        const root = { number: number + index, day: '2030-01-01' };
        const leaves = await roots.plant(tx, root, 2);
        planted.push(leaves.map(({ subjectId }) => subjectId));
        await roots.insert(tx, { ...root, treeSize: leaves.length, root: '', signedRoot: '' });
        await one.query(INSERT, [all[0], 'meanwhile']);
      }
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(planted).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
  });
});
