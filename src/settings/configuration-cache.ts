import type { Clock } from '../platform/index.js';
import type { ConfigurationRepository } from './store/configuration.repository.js';

const CHECK_EVERY_MS = 1_000;

/** Checks the revision at most once a second, and reads again when it changed. */
export class ConfigurationCache<Value> {
  private current?: { value: Value; revision: number };
  private checkedAt = Number.NEGATIVE_INFINITY;
  private checking?: Promise<void>;

  constructor(
    private readonly configuration: Pick<ConfigurationRepository, 'readRevision'>,
    private readonly clock: Clock,
    /** Use `Database.queryReserved`: waiting transactions may hold the whole pool. */
    private readonly read: () => Promise<Value>,
  ) {}

  async get(): Promise<Value> {
    const now = this.clock.now().getTime();
    // The clock may have been set back.
    if (!this.current || Math.abs(now - this.checkedAt) >= CHECK_EVERY_MS) {
      this.checking ??= this.refresh(now).finally(() => {
        this.checking = undefined;
      });
      await this.checking;
    }
    return this.current!.value;
  }

  /** However old; undefined before the first read. */
  last(): Value | undefined {
    return this.current?.value;
  }

  private async refresh(now: number): Promise<void> {
    const revision = await this.configuration.readRevision();
    if (this.current?.revision !== revision) {
      this.current = { value: await this.read(), revision };
    }
    this.checkedAt = now;
  }
}
