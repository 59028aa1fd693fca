import type { ClientBase, QueryConfig } from 'pg';
import type {
  EntityTarget,
  ObjectLiteral,
  QueryDeepPartialEntity,
  QueryRunner,
  Repository,
} from 'typeorm';

const ANSWER_MS = 2_000;

/** One open transaction, handed down explicitly to everything that takes part in it. */
export class Tx {
  private readonly callbacks: (() => void)[] = [];

  constructor(private readonly runner: QueryRunner) {}

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
    const result = await this.runner.query(sql, values, true);
    return result.records as Row[];
  }

  /**
   * The same of a statement that nobody waits for and that may take minutes: the others of the transaction keep
   * their time.
   */
  async patientQuery<Row>(sql: string, values: unknown[], longestMs: number): Promise<Row[]> {
    await this.query(`SET LOCAL statement_timeout = ${longestMs}`);
    const client = (await this.runner.connect()) as ClientBase;
    // The server ends the statement; the client gives up only after it.
    const query = { text: sql, values, query_timeout: longestMs + ANSWER_MS };
    const { rows } = await client.query(query as QueryConfig);
    await this.query('SET LOCAL statement_timeout TO DEFAULT');
    return rows as Row[];
  }

  /** How many rows a statement changed. */
  async execute(sql: string, values: unknown[] = []): Promise<number> {
    const result = await this.runner.query(sql, values, true);
    return result.affected ?? 0;
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
