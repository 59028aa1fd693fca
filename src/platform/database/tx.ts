import type { ClientBase, QueryConfig } from 'pg';
import {
  type EntityTarget,
  type FindOptionsWhere,
  type ObjectLiteral,
  type QueryDeepPartialEntity,
  QueryFailedError,
  type QueryRunner,
  QueryRunnerAlreadyReleasedError,
  type Repository,
} from 'typeorm';
import { sha256 } from '../crypto/keyring.js';
import { Queries } from './queries.js';

/** Limits the server's memory when statement texts vary. */
const MAX_NAMES = 500;
const LENGTH = 24;

const names = new Map<string, string>();

/** Null above `MAX_NAMES`. */
function statementName(sql: string): string | null {
  const known = names.get(sql);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES) return null;
  const name = sha256(sql).slice(0, LENGTH);
  names.set(sql, name);
  return name;
}

const ANSWER_MS = 2_000;

export class Tx extends Queries {
  private readonly callbacks: (() => void)[] = [];

  /** @param keepsPlans whether the server keeps plans by name */
  constructor(
    private readonly runner: QueryRunner,
    private readonly keepsPlans = false,
  ) {
    super();
  }

  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.runner.manager.getRepository(entity);
  }

  async insert<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    values: QueryDeepPartialEntity<Entity>,
  ): Promise<Entity> {
    const builder = this.repository(entity).createQueryBuilder().insert().values(values);
    const { generatedMaps } = await builder.returning('*').execute();
    return generatedMaps[0] as Entity;
  }

  /** False when the key exists. */
  async insertOnce<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    values: QueryDeepPartialEntity<Entity>,
  ): Promise<boolean> {
    const builder = this.repository(entity).createQueryBuilder().insert().values(values);
    const { raw } = await builder.orIgnore().updateEntity(false).returning('1').execute();
    return (raw as unknown[]).length > 0;
  }

  /** @returns how many rows there were */
  async update<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    where: FindOptionsWhere<Entity>,
    changes: QueryDeepPartialEntity<Entity>,
  ): Promise<number> {
    const { affected } = await this.repository(entity).update(where, changes);
    return affected ?? 0;
  }

  async query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.run(sql, values)).rows as Row[];
  }

  /** For statements that may take minutes. */
  async patientQuery<Row>(sql: string, values: unknown[], longestMs: number): Promise<Row[]> {
    await this.query(`SET LOCAL statement_timeout = ${longestMs}`);
    const client = await this.connection();
    // The server ends the statement first.
    const query = { text: sql, values, query_timeout: longestMs + ANSWER_MS };
    const { rows } = await client.query(query as QueryConfig);
    await this.query('SET LOCAL statement_timeout TO DEFAULT');
    return rows as Row[];
  }

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
      // Callers catch the same error as from TypeORM.
      throw new QueryFailedError(sql, values, error as Error);
    }
  }

  /** A released runner could return another transaction's connection. */
  private async connection(): Promise<ClientBase> {
    if (this.runner.isReleased) throw new QueryRunnerAlreadyReleasedError();
    return (await this.runner.connect()) as ClientBase;
  }

  afterCommit(callback: () => void): void {
    this.callbacks.push(callback);
  }

  /** Called only by `Database`. */
  committed(): void {
    for (const callback of this.callbacks) callback();
  }
}
