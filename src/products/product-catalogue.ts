import { Injectable } from '@nestjs/common';
import { Clock, Database, Revisioned } from '../platform/index.js';
import type { ProductRow } from './store/product.entity.js';
import type { Product } from './product.js';

/** The products as the configuration that is in force has them, those switched off included. */
@Injectable()
export class ProductCatalogue {
  private readonly kept: Revisioned<ReadonlyMap<string, Product>>;

  constructor(database: Database, clock: Clock) {
    this.kept = new Revisioned(database, clock, async () => {
      const rows = await database.aside<ProductRow & Record<string, unknown>>(
        `SELECT code, position, display_name AS "displayName", category, channel, provider, icon,
           is_enabled AS "isEnabled", steps, minimum_amount AS "minimumAmount",
           maximum_amount AS "maximumAmount", default_amount AS "defaultAmount"
         FROM products ORDER BY position, code`,
      );
      return new Map(rows.map((row) => [row.code, productOf(row)]));
    });
  }

  /** The product of this code, switched off or not; null when the catalogue has none. */
  async find(code: string): Promise<Product | null> {
    return (await this.kept.get()).get(code) ?? null;
  }

  /** Every product, in the configuration's order. */
  async list(): Promise<Product[]> {
    return [...(await this.kept.get()).values()];
  }
}

function productOf(row: ProductRow): Product {
  return Object.freeze({
    code: row.code,
    displayName: row.displayName,
    category: row.category,
    channel: row.channel,
    provider: row.provider,
    icon: row.icon,
    isEnabled: row.isEnabled,
    steps: Object.freeze(row.steps),
    minimumAmount: row.minimumAmount,
    maximumAmount: row.maximumAmount,
    defaultAmount: row.defaultAmount,
  });
}
