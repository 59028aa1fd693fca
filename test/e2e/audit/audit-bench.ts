import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { AuditRoots, AuditVerification } from '../../../src/audit/index.js';
import { AuditTasks } from '../../../src/audit/roots/audit-roots.service.js';
import { AUDIT_TRAIL } from '../../../src/composition.js';
import { partnerClient } from '../../support/partner-client.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  atSandboxGateway,
  type CreatedInstantLoan,
  openGateway,
} from '../../support/instant-loans.js';
import { eventually } from '../../support/eventually.js';
import { runAdmin } from '../../support/admin-command.js';
import { type OwnService, startService } from '../../support/service.js';
import { JourneyBench } from '../journeys/journey-bench.js';
import { WAIT_MS } from '../journeys/test-journey.js';
import { CallbackBench, type TestJourney } from '../lender-api/callback-bench.js';

/** The tables of the audit trail, without their triggers' arguments. */
export const TABLES = AUDIT_TRAIL.sources;

/** The tables whose current rows the audit determines. */
export const { records: RECORDS } = AUDIT_TRAIL;

type Change = readonly [sql: string, values?: unknown[]];

const TABLE_NAMES = `SELECT tablename AS table FROM pg_tables WHERE schemaname = 'public'`;

/** A service with loans in signed chains, and an intruder with full access to the database. */
export class AuditBench {
  /** For exported files, keys and roots. */
  readonly folder = mkdtempSync(join(tmpdir(), 'rinpath-audit-'));

  private constructor(
    private readonly service: OwnService,
    readonly callbacks: CallbackBench,
    private readonly intruder: Client,
  ) {}

  static async open(): Promise<AuditBench> {
    const service = await startService();
    const callbacks = await CallbackBench.on(new JourneyBench(service));
    const intruder = new Client({ connectionString: callbacks.journeys.service.databaseUrl });
    await intruder.connect();
    // Disables triggers and foreign keys, so that the intruder leaves no trace.
    await intruder.query('SET session_replication_role = replica');
    await intruder.query(`SET timezone = 'UTC'`);
    return new AuditBench(service, callbacks, intruder);
  }

  async close(): Promise<void> {
    await this.intruder.end();
    await this.callbacks.close();
    await this.service.close();
    rmSync(this.folder, { recursive: true });
  }

  get databaseUrl(): string {
    return this.callbacks.journeys.service.databaseUrl;
  }

  get tasks(): AuditTasks {
    return this.callbacks.journeys.service.get(AuditTasks);
  }

  get verification(): AuditVerification {
    return this.callbacks.journeys.service.get(AuditVerification);
  }

  admin(...parameters: string[]) {
    return runAdmin(this.databaseUrl, ...parameters);
  }

  /** A paid-out journey with two reports of its lender and a read by the operator. */
  async journey(): Promise<TestJourney> {
    const journey = await this.callbacks.journeys.startWithOffers();
    await journey.select();
    for (const _ of [1, 2]) {
      await this.callbacks.lender.tell('loan-events', await this.callbacks.loanEvent(journey));
    }
    await journey.complete();
    await this.callbacks.journeys.settled();
    return journey;
  }

  /** A paid and sanctioned instant loan; with `SANDX0013A`, declined and refunded. */
  async instantLoan(pan = 'ABCDE1234F'): Promise<CreatedInstantLoan> {
    const { service } = this.callbacks.journeys;
    const demo = partnerClient(service);
    const { json } = await applyForInstantLoan(demo, {
      mobile: '9811111111',
      pan,
      customer: { firstName: 'Yashodhara' },
    });
    const browser = new ApplicantBrowser();
    await atSandboxGateway(browser, await openGateway(browser, json.data.redirectUrl), 'pay');
    await eventually(
      async () => {
        const rows = await this.query(
          `SELECT 1 FROM journey_audit WHERE journey_id = $1 AND trigger IN ('LOAN_SANCTIONED', 'REFUND_TOLD')`,
          [json.data.journeyId],
        );
        return rows.length > 0;
      },
      { withinMs: WAIT_MS },
    );
    await this.callbacks.journeys.settled();
    return json.data;
  }

  signRoots(): Promise<boolean> {
    return this.callbacks.journeys.service.get(AuditRoots).closeDay();
  }

  async query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.intruder.query<Row>(sql, values)).rows;
  }

  /** The faults while these changes are made; undoes them afterwards. */
  foundAfter(subjectId: string | null, ...changes: Change[]): Promise<string[]> {
    return this.whileChanged(changes, async () => {
      const { faults } = await (subjectId
        ? this.verification.verifySubject(subjectId)
        : this.verification.verify());
      return faults.map(({ subjectId: subject, position, row, what }) =>
        [subject, position ?? '-', row ?? '-', what].join(' | '),
      );
    });
  }

  async whileChanged<Result>(
    changes: readonly Change[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    const said = changes.map(([sql]) => sql).join();
    const copies = (await this.query<{ table: string }>(TABLE_NAMES))
      .map(({ table }) => table)
      .filter((table) => said.includes(table));
    for (const table of copies) {
      await this.query(`CREATE TEMPORARY TABLE before_${table} AS TABLE ${table}`);
    }
    try {
      for (const [sql, values] of changes) {
        if ((await this.intruder.query(sql, values)).rowCount === 0)
          throw new Error(`no row: ${sql}`);
      }
      return await work();
    } finally {
      for (const table of copies) {
        await this.query(`DELETE FROM ${table}`);
        await this.query(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE before_${table}`);
        await this.query(`DROP TABLE before_${table}`);
      }
    }
  }
}
