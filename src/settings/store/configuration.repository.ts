import { Injectable } from '@nestjs/common';
import { Columns, Database, sealedSamples, type Tx } from '../../platform/index.js';
import { GATEWAYS_PURPOSE } from '../gateway-settings.js';
import type { Brand, OperatingSettings } from '../operating-settings.js';
import { Configuration } from './configuration.entity.js';
import { Lender, LenderLogo } from './lender.entity.js';
import { Product } from './product.entity.js';

export interface BrandAndSettings {
  readonly brand: Brand;
  /** Newer settings may be missing. */
  readonly settings: Partial<OperatingSettings>;
}

type NewConfiguration = Pick<
  Configuration,
  'fileVersion' | 'brand' | 'settings' | 'gatewaysSealed'
>;

const columns = new Columns(Configuration);

/** Caches read through `Database.queryReserved`. */
@Injectable()
export class ConfigurationRepository {
  constructor(private readonly database: Database) {}

  /** Increases with every change of configuration, catalogue or partners; 0 before the first. */
  async readRevision(): Promise<number> {
    const [row] = await this.database.queryReserved<{ revision: number }>(
      'SELECT revision FROM configuration',
    );
    return row?.revision ?? 0;
  }

  /** Null when no configuration was applied. */
  async readBrandAndSettings(): Promise<BrandAndSettings | null> {
    const [row] = await this.database.queryReserved<BrandAndSettings>(
      `SELECT ${columns.selected(['brand', 'settings'])} FROM configuration`,
    );
    return row ?? null;
  }

  /** Null when no gateways are configured. */
  async readGateways(): Promise<string | null> {
    const [row] = await this.database.queryReserved<Pick<Configuration, 'gatewaysSealed'>>(
      `SELECT ${columns.selected(['gatewaysSealed'])} FROM configuration`,
    );
    return row?.gatewaysSealed ?? null;
  }

  /** Null when no configuration was applied. */
  async find(tx: Tx): Promise<Configuration | null> {
    return tx.repository(Configuration).findOneBy({ one: true });
  }

  /**
   * Writes only differences.
   * @param hasChanged increases the revision in any case
   * @returns whether anything was written
   */
  async write(tx: Tx, configuration: NewConfiguration, hasChanged: boolean): Promise<boolean> {
    const { fileVersion, brand, settings, gatewaysSealed } = configuration;
    const written = await tx.execute(WRITE, [
      fileVersion,
      JSON.stringify(brand),
      JSON.stringify(settings),
      gatewaysSealed,
      hasChanged,
    ]);
    return written > 0;
  }
}

const WRITE = `
  INSERT INTO configuration AS kept (revision, file_version, brand, settings, gateways_sealed)
  VALUES (1, $1, $2, $3, $4)
  ON CONFLICT (one) DO UPDATE SET
    revision = kept.revision + 1, file_version = excluded.file_version,
    brand = excluded.brand, settings = excluded.settings,
    gateways_sealed = excluded.gateways_sealed, applied_at = app_now()
  WHERE $5 OR (kept.file_version, kept.brand, kept.settings, kept.gateways_sealed)
    IS DISTINCT FROM (excluded.file_version, excluded.brand, excluded.settings,
      excluded.gateways_sealed)
`;

export const sealedGateways = sealedSamples('configuration', 'gateways_sealed', GATEWAYS_PURPOSE);

export const SETTINGS_ENTITIES = [Configuration, Lender, LenderLogo, Product];
