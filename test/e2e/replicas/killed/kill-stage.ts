import { configurationWith, type TestConfiguration } from '../../../support/configuration-with.js';
import { FakeRazorpay, RAZORPAY_ACCOUNT } from '../../../support/fake-razorpay.js';
import { freePort } from '../../../support/free-port.js';
import { HeldLock } from '../../../support/held-lock.js';
import { JourneyRecords } from '../../../support/journey-records.js';
import { type PartnerClient, partnerClient } from '../../../support/partner-client.js';
import { HttpGatewayServer } from '../../../support/sms-gateways.js';
import { type SpawnedService, spawnService } from '../../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

/** A loaded machine is slow. */
export const PATIENT = { withinMs: 30_000 };
/** Longer than a slow machine needs to start the next process, so that no lease expires before. */
export const LEASE_SECONDS = 60;
/** Each blocked transaction holds a connection. */
const ENOUGH_CONNECTIONS = '30';

/** Work that a kill interrupts. */
export interface InterruptedWork {
  prepare(): Promise<void>;
  /** Takes the locks that the work will wait for. Create triggers here: later they would wait for the work. */
  lock(): Promise<HeldLock[]>;
  /** Begins the work; the service cancels a blocked statement after 15 s. */
  begin(): Promise<void>;
  /** After the kill, while the locks are still held. */
  beforeRelease?: () => Promise<void>;
  /** What the killed process left. */
  expectUnrecorded(): Promise<void>;
}

/** A service process that can be killed, with its gateways. */
export class KillStage {
  readonly texts = new HttpGatewayServer();
  readonly razorpay = new FakeRazorpay();
  readonly records: JourneyRecords;
  service!: SpawnedService;
  private configuration?: TestConfiguration;

  private constructor(
    private readonly database: TestDatabase,
    /** Fixed, so that pages opened before a kill work after it. */
    private readonly port: number,
  ) {
    this.records = new JourneyRecords(database.url);
  }

  static async open(): Promise<KillStage> {
    const stage = new KillStage(await createTestDatabase(), await freePort());
    const { texts, razorpay } = stage;
    await Promise.all([texts.start(), razorpay.start()]);
    const account = { ...RAZORPAY_ACCOUNT, apiBaseUrl: razorpay.url };
    stage.configuration = configurationWith({
      sms: texts.section,
      payment: { gateway: 'razorpay', razorpay: account },
    });
    await stage.start();
    return stage;
  }

  async close(): Promise<void> {
    await this.service?.kill();
    await this.razorpay.stop();
    await this.texts.stop();
    this.configuration?.remove();
    await this.records.close();
    await this.database.drop();
  }

  get partner(): PartnerClient {
    return partnerClient(this.service);
  }

  hold(sql: string, values: unknown[]): Promise<HeldLock> {
    return HeldLock.take(this.database.url, sql, values);
  }

  /** Blocks every process that writes these rows. @see HeldLock.atWrite */
  holdWrite(write: string, condition: string): Promise<HeldLock> {
    return HeldLock.atWrite(this.database.url, write, condition);
  }

  /** Kills the process during all this work, and starts the next one. */
  async killDuring(...works: readonly InterruptedWork[]): Promise<void> {
    await Promise.all(works.map((work) => work.prepare()));
    const locks: HeldLock[] = [];
    for (const work of works) locks.push(...(await work.lock()));
    for (const work of works) await work.begin();
    await this.service.kill();
    for (const work of works) await work.beforeRelease?.();
    for (const lock of locks) await lock.release();
    await this.records.untilNobodyIsConnected();
    for (const work of works) await work.expectUnrecorded();
    await this.records.query(
      `UPDATE journeys SET lease_until = app_now() + make_interval(secs => $1)
       WHERE lease_until IS NOT NULL`,
      [LEASE_SECONDS],
    );
    await this.start();
  }

  private async start(): Promise<void> {
    const env = { CONFIG_FILE: this.configuration!.file, DATABASE_POOL: ENOUGH_CONNECTIONS };
    this.service = await spawnService({ databaseUrl: this.database.url, env, port: this.port });
  }
}
