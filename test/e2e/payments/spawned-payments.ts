import { FakeRazorpay } from '../../support/fake-razorpay.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { PaymentRecords, razorpayConfig } from './payment-bench.js';

/** The service in processes of its own, each of which can be killed, with Razorpay’s stand-in. */
export class SpawnedPayments {
  /** By the name that PostgreSQL knows their connections by, the longest running first. */
  private readonly running = new Map<string, SpawnedService>();

  private constructor(
    private readonly database: TestDatabase,
    private readonly names: readonly string[],
    readonly records: PaymentRecords,
    readonly razorpay: FakeRazorpay,
    private readonly config: ReturnType<typeof razorpayConfig>,
  ) {}

  static async open(replicas = 1): Promise<SpawnedPayments> {
    const database = await createTestDatabase();
    const names = Array.from({ length: replicas }, (_, place) => `replica-${place + 1}`);
    const razorpay = await new FakeRazorpay().start();
    const records = new PaymentRecords(database.url);
    const config = razorpayConfig(razorpay.url);
    const stage = new SpawnedPayments(database, names, records, razorpay, config);
    try {
      await stage.restart();
      return stage;
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  /** The one that has been running longest. */
  get service(): SpawnedService {
    return this.running.values().next().value!;
  }

  /** The name of the one that was started last. */
  get newest(): string {
    return [...this.running.keys()].at(-1)!;
  }

  get isAnyRunning(): boolean {
    return this.running.size > 0;
  }

  /** @param name which one; left out: the one that has been running longest */
  async kill(name = this.running.keys().next().value!): Promise<void> {
    const service = this.running.get(name)!;
    this.running.delete(name);
    await service.kill('SIGKILL');
  }

  /** After `kill`: until PostgreSQL has let go of it, and what it had begun is undone. */
  async untilGone(): Promise<void> {
    for (const name of this.missing) await this.records.untilNobodyIsConnected(name);
  }

  /** After `kill`: another process for each, once it is gone. */
  async restart(): Promise<void> {
    await this.untilGone();
    for (const name of this.missing) this.running.set(name, await this.start(name));
  }

  /** Has those that run stand still, as on a machine that gets no time; answers what ends that. */
  freeze(): () => void {
    const frozen = [...this.running.values()];
    for (const { pid } of frozen) process.kill(pid, 'SIGSTOP');
    return () => frozen.forEach(({ pid }) => process.kill(pid, 'SIGCONT'));
  }

  /** As Razorpay calls. */
  callBack(webhook: { headers: Record<string, string>; body: string }): Promise<Response> {
    const url = `${this.service.baseUrl}/callbacks/payments/razorpay`;
    return fetch(url, { method: 'POST', ...webhook });
  }

  async close(): Promise<void> {
    await Promise.all([...this.running.values()].map((service) => service.kill()));
    this.config.remove();
    await this.razorpay.stop();
    await this.records.close();
    await this.database.drop();
  }

  private get missing(): string[] {
    return this.names.filter((name) => !this.running.has(name));
  }

  private start(name: string): Promise<SpawnedService> {
    const url = new URL(this.database.url);
    url.searchParams.set('application_name', name);
    return spawnService({ databaseUrl: url.href, env: { CONFIG_FILE: this.config.file } });
  }
}
