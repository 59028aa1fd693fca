import type { Clock } from '../platform/index.js';
import type { ConfigurationRepository } from './store/configuration.repository.js';

const CHECK_EVERY_MS = 1_000;

/**
 * Keeps in memory what was read from the configuration's tables. The configuration has a
 * revision; it is looked at once a second at most, and the value is read again when it moved.
 */
export class ConfigurationCache<Value> {
  private current?: { value: Value; revision: number };
  private checkedAt = Number.NEGATIVE_INFINITY;
  private checking?: Promise<void>;

  constructor(
    private readonly configuration: Pick<ConfigurationRepository, 'readRevision'>,
    private readonly clock: Clock,
    /** Through `Database.queryReserved`: transactions wait for it, and may hold all of the pool. */
    private readonly read: () => Promise<Value>,
  ) {}

  async get(): Promise<Value> {
    const now = this.clock.now().getTime();
    // A clock that was set back counts as a reason to look, too.
    if (!this.current || Math.abs(now - this.checkedAt) >= CHECK_EVERY_MS) {
      this.checking ??= this.refresh(now).finally(() => {
        this.checking = undefined;
      });
      await this.checking;
    }
    return this.current!.value;
  }

  /** What was read last, however old; undefined before the first time. */
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
