import type { ClientBase, QueryConfig } from 'pg';
import {
  type EntityTarget,
  type ObjectLiteral,
  type QueryDeepPartialEntity,
  QueryFailedError,
  type QueryRunner,
  QueryRunnerAlreadyReleasedError,
  type Repository,
} from 'typeorm';
import { sha256 } from '../crypto/digests.js';

/** Far more than there are: a statement whose text has no end of forms must not fill the server's memory. */
const MAX_NAMES = 500;
const LENGTH = 24;

const names = new Map<string, string>();

/** The name under which a connection keeps a statement; null for one more than there may be. */
export function statementName(sql: string): string | null {
  const known = names.get(sql);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES) return null;
  const name = sha256(sql).slice(0, LENGTH);
  names.set(sql, name);
  return name;
}

const ANSWER_MS = 2_000;

/** One open transaction, handed down explicitly to everything that takes part in it. */
export class Tx {
  private readonly callbacks: (() => void)[] = [];

  /** @param keepsPlans whether its connection keeps the plan of each statement under a name */
  constructor(
    private readonly runner: QueryRunner,
    private readonly keepsPlans = false,
  ) {}

  /** TypeORM's repository of an entity, in this transaction: plain reads and writes go through it. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.runner.manager.getRepository(entity);
  }

  /** Inserts a row and answers it whole, the columns' defaults included. */
  async insert<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    values: QueryDeepPartialEntity<Entity>,
  ): Promise<Entity> {
    const builder = this.repository(entity).createQueryBuilder().insert().values(values);
    const { generatedMaps } = await builder.returning('*').execute();
    return generatedMaps[0] as Entity;
  }

  /** Inserts a row unless one with the same key is there; whether it did. */
  async insertOnce<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    values: QueryDeepPartialEntity<Entity>,
  ): Promise<boolean> {
    const builder = this.repository(entity).createQueryBuilder().insert().values(values);
    const { raw } = await builder.orIgnore().updateEntity(false).returning('1').execute();
    return (raw as unknown[]).length > 0;
  }

  /** The rows that a statement returns. */
  async query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.run(sql, values)).rows as Row[];
  }

  /**
   * The same of a statement that nobody waits for and that may take minutes: the others of the transaction keep
   * their time.
   */
  async patientQuery<Row>(sql: string, values: unknown[], longestMs: number): Promise<Row[]> {
    await this.query(`SET LOCAL statement_timeout = ${longestMs}`);
    const client = await this.connection();
    // The server ends the statement; the client gives up only after it.
    const query = { text: sql, values, query_timeout: longestMs + ANSWER_MS };
    const { rows } = await client.query(query as QueryConfig);
    await this.query('SET LOCAL statement_timeout TO DEFAULT');
    return rows as Row[];
  }

  /** How many rows a statement changed. */
  async execute(sql: string, values: unknown[] = []): Promise<number> {
    return (await this.run(sql, values)).count;
  }

  private async run(sql: string, values: unknown[]): Promise<{ rows: unknown[]; count: number }> {
    const name = this.keepsPlans && values.length > 0 ? statementName(sql) : null;
    if (name === null) {
      const { records, affected } = await this.runner.query(sql, values, true);
      return { rows: records as unknown[], count: affected ?? 0 };
    }
    const client = await this.connection();
    try {
      const { rows, rowCount } = await client.query({ name, text: sql, values });
      return { rows, count: rowCount ?? 0 };
    } catch (error) {
      // As TypeORM has it: who catches the one catches the other.
      throw new QueryFailedError(sql, values, error as Error);
    }
  }

  /**
   * For what TypeORM's own `query` does not do. It looks for this itself; `connect` answers a connection that the
   * pool may have given to another transaction by now.
   * @throws QueryRunnerAlreadyReleasedError after the transaction's end
   */
  private async connection(): Promise<ClientBase> {
    if (this.runner.isReleased) throw new QueryRunnerAlreadyReleasedError();
    return (await this.runner.connect()) as ClientBase;
  }

  /** Registers what shall happen once this transaction is durable: waking a worker, say. */
  afterCommit(callback: () => void): void {
    this.callbacks.push(callback);
  }

  /** Called by `Database` alone. */
  committed(): void {
    for (const callback of this.callbacks) callback();
  }
}
