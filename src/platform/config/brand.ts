import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Database } from '../database/database.js';
import { Revisioned } from '../database/revisioned.js';
import { logFailure } from '../logging/log-failure.js';
import type { Language } from '../screens/language.js';
import type { Environment } from './environment.js';
import { ENVIRONMENT } from './environment.token.js';
import { type OperatingSettings, SETTINGS_DEFAULTS } from './operating-settings.js';

/** Under whose name the service is run. */
export interface Brand {
  /** Drives the webhook headers (`x-<slug>-…`) and the prefix of API keys. */
  readonly slug: string;
  readonly displayName: string;
  readonly support: { readonly phone: string; readonly email: string };
  readonly grievance: { readonly name: string; readonly phone: string; readonly email: string };
  readonly accentColour: string;
  /** Of a text message to an applicant whose language nobody has told; absent: English. */
  readonly smsLanguage?: Language;
  /** Absent: the name stands alone. */
  readonly logo?: BrandLogo;
}

/** A drawing (SVG) or picture (PNG) of at most 64 KB, as it was when the file was applied. */
export interface BrandLogo {
  readonly contentType: 'image/svg+xml' | 'image/png';
  readonly base64: string;
  /** Width divided by height. */
  readonly aspectRatio: number;
}

interface Row {
  brand: Brand;
  /** A setting that the release which applied the file did not know is missing. */
  settings: Partial<OperatingSettings>;
}

/** The brand and the settings as the configuration that is in force has them. */
@Injectable()
export class BrandBook {
  private readonly logger = new Logger(BrandBook.name);
  private readonly kept: Revisioned<Row>;

  constructor(
    database: Database,
    clock: Clock,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'mode'>,
  ) {
    this.kept = new Revisioned(database, clock, async () => {
      const [row] = await database.aside<{ brand: Brand; settings: Partial<OperatingSettings> }>(
        'SELECT brand, settings FROM configuration',
      );
      if (!row) throw new Error('No configuration has been applied: npm run admin -- config apply');
      return row;
    });
  }

  /**
   * Whether the database says within so many milliseconds that a configuration was applied. None is
   * ever taken away, so it is asked until it says so once.
   */
  async isApplied(withinMs: number): Promise<boolean> {
    if (this.kept.last()) return true;
    const applied = this.kept.get().then(
      () => true,
      () => false,
    );
    return Promise.race([applied, sleep(withinMs, false, { ref: false })]);
  }

  async brand(): Promise<Brand> {
    return (await this.kept.get()).brand;
  }

  /**
   * For pages that must be shown even while the database is away: the brand that is in force, else
   * the last one known, else none.
   */
  async brandAtHand(): Promise<Brand | undefined> {
    try {
      return await this.brand();
    } catch (error) {
      logFailure(this.logger, error);
      return this.kept.last()?.brand;
    }
  }

  async settings(): Promise<OperatingSettings> {
    const { settings } = await this.kept.get();
    return { ...SETTINGS_DEFAULTS[this.environment.mode], ...settings };
  }
}
