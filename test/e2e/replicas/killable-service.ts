import { setTimeout as sleep } from 'node:timers/promises';
import { HeldLock } from '../../support/held-lock.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import {
  type SpawnedService,
  type SpawnOptions,
  spawnService,
} from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** A process takes over the time that was travelled to within a second. */
const CLOCK_MS = 1_500;
/** For each test and hook: each starts two processes. */
export const TEST_MS = 180_000;

type KillableOptions = Pick<SpawnOptions, 'env' | 'port'>;

export class KillableService {
  readonly records: JourneyRecords;
  private process: SpawnedService | undefined;
  private client: PartnerClient | undefined;
  private readonly locks: HeldLock[] = [];

  private constructor(
    private readonly database: TestDatabase,
    private readonly options: KillableOptions,
  ) {
    this.records = new JourneyRecords(database.url);
  }

  static async open(options: KillableOptions = {}): Promise<KillableService> {
    const service = new KillableService(await createTestDatabase(), options);
    try {
      await service.start();
      return service;
    } catch (error) {
      await service.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const lock of this.locks) await lock.release().catch(() => undefined);
    await this.process?.kill();
    await this.records.close();
    await this.database.drop();
  }

  get partner(): PartnerClient {
    return this.client!;
  }

  get baseUrl(): string {
    return this.process!.baseUrl;
  }

  output(): string {
    return this.process!.output();
  }

  async start(): Promise<void> {
    this.process = await spawnService({ ...this.options, databaseUrl: this.database.url });
    this.client = partnerClient({ baseUrl: this.process.baseUrl });
  }

  kill(): Promise<void> {
    return this.process!.kill();
  }

  async killAt(...locks: readonly HeldLock[]): Promise<void> {
    await this.kill();
    for (const lock of locks) await lock.release();
    await this.records.untilNobodyIsConnected();
  }

  async hold(sql: string, values: unknown[] = []): Promise<HeldLock> {
    const lock = await HeldLock.take(this.database.url, sql, values);
    this.locks.push(lock);
    return lock;
  }

  /** Stops whatever process writes certain rows. @see HeldLock.atWrite */
  async holdWrite(write: string, condition: string): Promise<HeldLock> {
    const lock = await HeldLock.atWrite(this.database.url, write, condition);
    this.locks.push(lock);
    return lock;
  }

  async travel(milliseconds: number): Promise<void> {
    await this.records.travel(milliseconds);
    await sleep(CLOCK_MS);
  }
}
