import { Inject, Injectable } from '@nestjs/common';
import { Database, type Tx } from '../platform/index.js';
import { AUDIT_SOURCES, type AuditSource } from './audit-source.js';
import {
  type ChainFault,
  checkChain,
  checkRows,
  type LatestOfRow,
  type LatestRows,
  type PresentRows,
  type SoundChain,
  type Sources,
} from './chain/check-chain.js';
import {
  checkRecord,
  CURRENT_RECORDS,
  type CurrentRecord,
  noAudit,
  type PresentRecord,
} from './current-record.js';
import {
  type CheckedRoots,
  type FromElsewhere,
  RootVerification,
} from './roots/root-verification.js';
import { AuditChainsRepository, type Chain } from './store/audit-chains.repository.js';

export interface VerifiedAudit {
  readonly subjects: number;
  readonly entries: number;
  readonly unknown: number;
  /** Possible signs of a change, no proof. */
  readonly warnings: readonly string[];
  readonly notCompared: readonly string[];
  readonly faults: readonly ChainFault[];
}

interface Moment extends Sources {
  readonly roots: CheckedRoots;
}

const ENTRIES_A_LOT = 4_000;
const MAX_FAULTS = 20;

/** Compares the chains with their tables, and both with the signed roots. */
@Injectable()
export class AuditVerification {
  private readonly byTable: ReadonlyMap<string, AuditSource>;

  constructor(
    @Inject(AUDIT_SOURCES) private readonly sources: readonly AuditSource[],
    @Inject(CURRENT_RECORDS) private readonly records: readonly CurrentRecord[],
    private readonly database: Database,
    private readonly chains: AuditChainsRepository,
    private readonly roots: RootVerification,
  ) {
    this.byTable = new Map(sources.map((source) => [source.table, source]));
  }

  verify(given: FromElsewhere = {}): Promise<VerifiedAudit> {
    return this.atOneMoment(given, async (tx, moment) => {
      const { warnings } = moment.roots;
      const faults: ChainFault[] = [...moment.roots.faults];
      const found = new Map<string, number>();
      let [subjects, entries, unknown] = [0, 0, 0];
      for await (const lot of this.chains.chains(tx, ENTRIES_A_LOT)) {
        if (faults.length >= MAX_FAULTS) break;
        const { outcomes, records } = await this.verifyLot(tx, lot, moment);
        for (const { table, rows } of records) add(found, table, rows.length);
        for (const { fault, latest, present, ...outcome } of outcomes) {
          if (fault) faults.push(fault);
          unknown += outcome.unknown;
          for (const { said, key } of latest.values()) {
            if (present.get(said.source)?.has(key)) add(found, said.source, 1);
          }
        }
        subjects += lot.length;
        entries += lot.reduce((sum, chain) => sum + chain.entries.length, 0);
      }
      // Earlier faults may explain the different counts.
      if (faults.length === 0) faults.push(...(await this.unchained(tx, found)));
      const notCompared = await this.notCompared(tx);
      return { subjects, entries, unknown, warnings, notCompared, faults };
    });
  }

  /** Checks the signatures of all roots, but only the subject's trees. */
  verifySubject(subjectId: string, given: FromElsewhere = {}): Promise<VerifiedAudit> {
    const work = async (tx: Tx, moment: Moment) => {
      const chain = await this.chains.chainOf(tx, subjectId);
      const { outcomes } = await this.verifyLot(tx, [chain], moment);
      const [{ fault, latest, unknown }] = outcomes;
      const found = fault ? [fault] : await this.unchainedOf(tx, subjectId, latest);
      const { warnings } = moment.roots;
      const faults = [...moment.roots.faults, ...found];
      const entries = chain.entries.length;
      const subjects = entries > 0 ? 1 : 0;
      const notCompared = await this.notCompared(tx);
      return { subjects, entries, unknown, warnings, notCompared, faults };
    };
    return this.atOneMoment(given, work, [subjectId]);
  }

  private atOneMoment<Result>(
    given: FromElsewhere,
    work: (tx: Tx, moment: Moment) => Promise<Result>,
    subjects?: readonly string[],
  ) {
    return this.database.transaction(async (tx) => {
      await this.chains.readOneState(tx);
      const now = await this.chains.now(tx);
      const roots = await this.roots.check(tx, given, subjects);
      return work(tx, { byTable: this.byTable, now, roots });
    });
  }

  private async verifyLot(tx: Tx, lot: readonly Chain[], moment: Moment) {
    const { days } = moment.roots;
    const notBefore = days.notBefore();
    const ids = lot.map(({ subjectId }) => subjectId);
    const heads = await this.chains.signedHeads(tx, ids);
    const headsOf = Map.groupBy(heads, ({ subjectId }) => subjectId);
    const checked = lot.map(({ subjectId, entries }) => {
      const signed = (headsOf.get(subjectId) ?? []).map(({ position, hash, root, day }) => {
        return { position, hash, where: `the root of ${day}`, notBefore: days.notBefore(root) };
      });
      const chain = { subjectId, entries, heads: signed, notBefore };
      return { subjectId, ...checkChain(chain, moment) };
    });
    const present = await this.presentRows(tx, checked.flatMap(rowsOf));
    const records = await this.presentRecords(tx, ids);
    const outcomes = checked.map((one) => {
      if (!('latest' in one)) return { fault: one, latest: NOTHING, unknown: 0, present };
      const { subjectId, latest, unknown } = one;
      const fault =
        checkRows(subjectId, latest, present, moment) ??
        this.recordFault(subjectId, latest, records, moment);
      return { fault, latest, unknown, present };
    });
    return { outcomes, records };
  }

  private async presentRecords(tx: Tx, subjects: readonly string[]): Promise<RecordRows[]> {
    const read: RecordRows[] = [];
    for (const record of this.records) {
      const rows = await this.chains.records(tx, record, subjects);
      const bySubject = Map.groupBy(rows, ({ subjectId }) => subjectId);
      read.push({ record, table: record.table, rows, bySubject });
    }
    return read;
  }

  private recordFault(
    subjectId: string,
    latest: LatestRows,
    records: readonly RecordRows[],
    { now }: Moment,
  ): ChainFault | null {
    for (const { record, bySubject } of records) {
      const rows = bySubject.get(subjectId) ?? [];
      const fault = checkRecord(subjectId, record, latest, rows, now);
      if (fault) return fault;
    }
    return null;
  }

  private async notCompared(tx: Tx): Promise<string[]> {
    const compared = new Set([...this.byTable.keys(), ...this.records.map(({ table }) => table)]);
    const tables = await this.chains.tables(tx);
    return tables.filter((table) => !compared.has(table) && !table.startsWith('audit_'));
  }

  private async presentRows(tx: Tx, latest: readonly LatestOfRow[]): Promise<PresentRows> {
    const present = new Map<string, ReadonlyMap<string, string>>();
    for (const [table, rows] of Map.groupBy(latest, ({ said }) => said.source)) {
      const source = this.byTable.get(table)!;
      const keys = rows.map(({ key }) => key);
      const readable = keys.filter((key) => source.keyType === 'text' || /^\d{1,18}$/.test(key));
      present.set(table, await this.chains.rowsByKey(tx, source, readable));
    }
    return present;
  }

  /** Equal counts prove that each row is in a chain. */
  private async unchained(tx: Tx, found: ReadonlyMap<string, number>): Promise<ChainFault[]> {
    const vanished = await this.chains.vanished(tx, MAX_FAULTS);
    if (vanished.length > 0) {
      const what = 'the whole chain is missing, but a signed root contains it';
      return vanished.map((subjectId) => ({ subjectId, position: 1, row: null, what }));
    }
    const faults: ChainFault[] = [];
    for (const source of this.sources) {
      const there = await this.chains.countRows(tx, source);
      const missing = there - (found.get(source.table) ?? 0);
      const most = Math.min(missing, MAX_FAULTS - faults.length);
      const rows = most > 0 ? await this.chains.unchained(tx, source, most) : [];
      faults.push(...rows.map(({ subjectId, key }) => noEntry(subjectId, source, key)));
      if (missing > rows.length) faults.push(moreWithout(source, missing - rows.length));
    }
    for (const record of this.records) {
      const there = await this.chains.countRecords(tx, record);
      const most = MAX_FAULTS - faults.length;
      if (most <= 0 || there === (found.get(record.table) ?? 0)) continue;
      const rows = await this.chains.recordsWithoutChain(tx, record, most);
      faults.push(...rows.map((row) => noAudit(record, row)));
    }
    return faults;
  }

  private async unchainedOf(tx: Tx, subjectId: string, latest: LatestRows): Promise<ChainFault[]> {
    const faults: ChainFault[] = [];
    for (const source of this.sources) {
      const keys = await this.chains.keysOf(tx, source, subjectId);
      const without = keys.filter((key) => !latest.has(`${source.table} ${key}`));
      faults.push(...without.map((key) => noEntry(subjectId, source, key)));
    }
    return faults.slice(0, MAX_FAULTS);
  }
}

const NOTHING: LatestRows = new Map();

interface RecordRows {
  readonly record: CurrentRecord;
  readonly table: string;
  readonly rows: readonly PresentRecord[];
  readonly bySubject: ReadonlyMap<string, readonly PresentRecord[]>;
}

function add(counts: Map<string, number>, name: string, more: number): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}

function rowsOf(checked: ChainFault | SoundChain): LatestOfRow[] {
  return 'latest' in checked ? [...checked.latest.values()] : [];
}

function noEntry(subjectId: string, { table }: AuditSource, key: string): ChainFault {
  const what = 'the row is in no chain: it was inserted without the trigger';
  return { subjectId, position: null, row: `${table} ${key}`, what };
}

function moreWithout({ table }: AuditSource, more: number): ChainFault {
  const what = `${more} more rows are in no chain`;
  return { subjectId: table, position: null, row: null, what };
}
