// Isolated: bypasses the triggers, and verifies the whole database.
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuditRoots, AuditSigner } from '../../../src/audit/index.js';
import { AuditTasks } from '../../../src/audit/roots/audit-roots.service.js';
import { AuditRootsRepository } from '../../../src/audit/store/audit-roots.repository.js';
import { OperatorFlags } from '../../../src/operator-flags/index.js';
import { JourneyMover } from '../../../src/journeys/progress/journey-mover.js';
import { JourneysRepository } from '../../../src/journeys/store/journeys.repository.js';
import { ClockDifference, Database, Metrics, SystemClock } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
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

/** Any audit row. */
const INSERT = `INSERT INTO operator_commands (subject_id, command, parameters, given_by)
  VALUES ($1, $2, '{}', 'test')`;

interface Entry {
  readonly position: number;
  readonly command: string;
}

function entriesOf(subjectId: string): Promise<Entry[]> {
  return bench.query<Entry>(
    `SELECT position, entry::jsonb -> 'row' ->> 'command' AS command
     FROM audit_entries WHERE subject_id = $1 ORDER BY position`,
    [subjectId],
  );
}

/** The number of full scans of the entries in this transaction. */
async function readWhole(client: Client): Promise<number> {
  const { rows } = await client.query<{ times: number }>(
    `SELECT seq_scan::int AS times FROM pg_stat_xact_user_tables WHERE relname = 'audit_entries'`,
  );
  return rows[0]?.times ?? Number.NaN;
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
    // Entries do not depend on the time zone.
    await one.query(`SET timezone = 'Asia/Kolkata'`);
    await one.query(INSERT, [subject, 'first']);
    await one.query('RESET timezone');
    expect(await entriesOf(subject)).toMatchObject([{ position: 1, command: 'first' }]);
    expect(await faultsOf(subject)).toEqual([]);
  });

  it('finds its end by the primary key, also while there are few', async () => {
    const [one] = clients;
    await one.query('BEGIN');
    await one.query('SET CONSTRAINTS ALL IMMEDIATE');
    await one.query('TRUNCATE audit_entries');
    await one.query(INSERT, [subject, 'first']);
    await one.query('ANALYZE audit_entries');
    const before = await readWhole(one);
    await one.query(INSERT, [subject, 'second']);
    const after = await readWhole(one);
    await one.query('ROLLBACK');
    expect(after).toBe(before);
  });

  it('locks the chains of loans that go different ways together in the order of their ids', async () => {
    const { journeys } = bench.callbacks;
    const { service } = journeys;
    const started = [await journeys.startWithOffers(), await journeys.startWithOffers()];
    const ids = started.map(({ id }) => id).toSorted();
    await service.get(Database).transaction(async (tx) => {
      const [first, second] = await Promise.all(
        ids.map((id) => service.get(JourneysRepository).lock(tx, 'demo', id)),
      );
      await service.get(JourneyMover).moveGroups(tx, [
        { moves: [{ journey: second! }], trigger: 'WENT_IDLE' },
        { moves: [{ journey: first! }], trigger: 'WENT_IDLE' },
      ]);
    });
    const rows = await bench.query<{ journey_id: string }>(
      'SELECT journey_id FROM journey_audit WHERE journey_id = ANY ($1) ORDER BY id DESC LIMIT 2',
      [ids],
    );
    expect(rows.map((row) => row.journey_id)).toEqual(ids.toReversed());
    // Late responses of lenders would change another test's day.
    await eventually(async () => {
      const open = `SELECT 1 FROM lender_questions WHERE subject_id = ANY ($1) AND status = 'OPEN'`;
      expect(await bench.query(open, [ids])).toEqual([]);
    });
    await journeys.settled();
  });
});

function newTasks(roots = bench.callbacks.journeys.service.get(AuditRoots)): AuditTasks {
  const { service } = bench.callbacks.journeys;
  return new AuditTasks(service.get(Database), roots, service.get(OperatorFlags));
}

/** The roots of a replica whose clock is off by `off` milliseconds. */
function rootsWithClock(off: number): AuditRoots {
  const { service } = bench.callbacks.journeys;
  class OtherClock extends SystemClock {
    override now() {
      return new Date(super.now().getTime() + off);
    }
  }
  const database = service.get<Database>(Database);
  const difference = new ClockDifference(database, new OtherClock(), new Metrics());
  const [repository, signer] = [service.get(AuditRootsRepository), service.get(AuditSigner)];
  return new AuditRoots(database, repository, signer, difference);
}

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
    // A day without entries has a root, too.
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
    // A day that no replica closes is reported. Once closed, it stays marked as late.
    await service.travel(2 * DAY_MS);
    const { faults } = await bench.verification.verify();
    expect(faults).toMatchObject([{ what: expect.stringContaining('it is the last root') }]);
    while (await roots.closeDay());
    const late = await bench.verification.verify();
    expect(late).toMatchObject({
      faults: [],
      warnings: [
        expect.stringMatching(
          /^Warning: 1 roots were signed more than a day late, first root 4 of /,
        ),
      ],
    });
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
      const first = ((await roots.last(tx))?.number ?? 0) + 1;
      for (const number of [first, first + 1, first + 2]) {
        const root = { number, day: '2030-01-01' };
        const leaves = await roots.plant(tx, root, 2);
        planted.push(leaves.map(({ subjectId }) => subjectId));
        const signed = { root: '', signedRoot: '', signedAt: '2030-01-02T00:00:00Z' };
        await roots.insert(tx, { ...root, treeSize: leaves.length, ...signed });
        await one.query(INSERT, [all[0], 'meanwhile']);
      }
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(planted).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
  });

  it('has minutes to be found, and nothing else of its transaction has', async () => {
    const shown = `SELECT current_setting('statement_timeout') AS timeout`;
    const times = await bench.callbacks.journeys.service
      .get<Database>(Database)
      .transaction(async (tx) => [
        ...(await tx.patientQuery(shown, [], 300_000)),
        ...(await tx.query(shown)),
      ]);
    expect(times).toEqual([{ timeout: '5min' }, { timeout: '15s' }]);
  });

  it('that cannot be made is put before the operator, until it is', async () => {
    const { service } = bench.callbacks.journeys;
    const flags = () =>
      bench.query(
        `SELECT detail, resolved_at IS NOT NULL AS done FROM operator_flags WHERE kind = 'AUDIT_NOT_CLOSED'`,
      );
    await service.travel(2 * DAY_MS);
    await bench.query('ALTER TABLE audit_leaves RENAME TO audit_leaves_away');
    await bench.tasks.closeDay();
    await bench.tasks.closeDay();
    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    const detail = { day, first: { day } };
    expect(await flags()).toEqual([{ detail, done: false }]);
    // A task does nothing while another replica closes days.
    await bench.query('SELECT pg_advisory_lock(4702148)');
    await newTasks().closeDay();
    await bench.query('SELECT pg_advisory_unlock(4702148)');
    expect(await flags()).toEqual([{ detail, done: false }]);
    await bench.query('ALTER TABLE audit_leaves_away RENAME TO audit_leaves');
    await bench.tasks.closeDay();
    expect(await flags()).toEqual([{ detail, done: true }]);
  });

  it.each([
    ['ahead', 3 * 60_000],
    ['behind', -3 * 60_000],
  ])('is not signed by a replica whose clock is %s; another one signs it', async (_, off) => {
    const { service } = bench.callbacks.journeys;
    const own = service.get(AuditRoots);
    while (await own.closeDay());
    const wrong = newTasks(rootsWithClock(off));
    await service.travel(DAY_MS);
    const before = await own.list();
    await wrong.closeDay();
    expect(await own.list()).toEqual(before);
    await newTasks().closeDay();
    expect(await own.list()).toHaveLength(before.length + 1);
  });
});
