import { FakeRazorpay } from '../../support/fake-razorpay.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { PaymentRecords, razorpayConfig } from './payment-bench.js';

/** The service in a process of its own, which can be killed, with Razorpay’s stand-in. */
export class SpawnedPayments {
  service!: SpawnedService;

  private constructor(
    private readonly database: TestDatabase,
    readonly records: PaymentRecords,
    readonly razorpay: FakeRazorpay,
    private readonly config: ReturnType<typeof razorpayConfig>,
  ) {}

  static async open(): Promise<SpawnedPayments> {
    const database = await createTestDatabase();
    const razorpay = await new FakeRazorpay().start();
    const records = new PaymentRecords(database.url);
    const stage = new SpawnedPayments(database, records, razorpay, razorpayConfig(razorpay.url));
    try {
      await stage.start();
      return stage;
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  async kill(): Promise<void> {
    await this.service.kill('SIGKILL');
  }

  /** After `kill`: another process, once PostgreSQL has let go of the one before. */
  async restart(): Promise<void> {
    await this.records.untilNobodyIsConnected();
    await this.start();
  }

  /** As Razorpay calls. */
  callBack(webhook: { headers: Record<string, string>; body: string }): Promise<Response> {
    const url = `${this.service.baseUrl}/callbacks/payments/razorpay`;
    return fetch(url, { method: 'POST', ...webhook });
  }

  async close(): Promise<void> {
    await this.service?.kill();
    this.config.remove();
    await this.razorpay.stop();
    await this.records.close();
    await this.database.drop();
  }

  private async start(): Promise<void> {
    const { database, config } = this;
    this.service = await spawnService({
      databaseUrl: database.url,
      env: { CONFIG_FILE: config.file },
    });
  }
}
