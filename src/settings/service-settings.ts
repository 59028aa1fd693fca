import { Injectable, Logger } from '@nestjs/common';
import {
  type AppliedConfiguration,
  Clock,
  type Environment,
  Fault,
  InjectEnvironment,
  logFailure,
  type PageBrandSource,
  within,
} from '../platform/index.js';
import { type Brand, type OperatingSettings, SETTINGS_DEFAULTS } from './operating-settings.js';
import { ConfigurationCache } from './configuration-cache.js';
import {
  type BrandAndSettings,
  ConfigurationRepository,
} from './store/configuration.repository.js';

const RETRY_SECONDS = 5;

@Injectable()
export class ServiceSettings implements PageBrandSource, AppliedConfiguration {
  private readonly logger = new Logger(ServiceSettings.name);
  private readonly cache: ConfigurationCache<BrandAndSettings>;

  constructor(
    configuration: ConfigurationRepository,
    clock: Clock,
    @InjectEnvironment private readonly environment: Pick<Environment, 'mode'>,
  ) {
    this.cache = new ConfigurationCache(configuration, clock, async () => {
      const row = await configuration.readBrandAndSettings();
      if (row) return row;
      const cause = new Error(
        'No configuration has been applied. Run npm run admin -- config apply',
      );
      throw new Fault('service_unavailable', { retryAfterSeconds: RETRY_SECONDS, cause });
    });
  }

  /** A configuration is never removed, so one success is enough. */
  async isApplied(withinMs: number): Promise<boolean> {
    if (this.cache.last()) return true;
    const applied = this.cache.get().then(
      () => true,
      () => false,
    );
    return within(withinMs, applied, () => false);
  }

  async brand(): Promise<Brand> {
    return (await this.cache.get()).brand;
  }

  async brandAtHand(): Promise<Brand | undefined> {
    try {
      return await this.brand();
    } catch (error) {
      logFailure(this.logger, error);
      return this.cache.last()?.brand;
    }
  }

  async operating(): Promise<OperatingSettings> {
    const { settings } = await this.cache.get();
    return { ...SETTINGS_DEFAULTS[this.environment.mode], ...settings };
  }
}
