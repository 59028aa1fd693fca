import { Injectable } from '@nestjs/common';
import { Clock, Database, Revisioned } from '../platform/index.js';
import type { Lender } from './lender-terms.js';
import type { LenderRow } from './store/lender.entity.js';

/** The lenders and their terms as the configuration that is in force has them. */
@Injectable()
export class LenderBook {
  private readonly kept: Revisioned<ReadonlyMap<string, Lender>>;

  constructor(database: Database, clock: Clock) {
    this.kept = new Revisioned(database, clock, async () => {
      const rows = await database.aside<LenderRow & Record<string, unknown>>(
        `SELECT code, position, name, adapter, is_enabled AS "isEnabled", terms
         FROM lenders ORDER BY position, code`,
      );
      return new Map(rows.map((row) => [row.code, lenderOf(row)]));
    });
  }

  /** The enabled lenders that serve a product, in the configuration's order. */
  async serving(productCode: string): Promise<Lender[]> {
    const lenders = await this.list();
    return lenders.filter(
      ({ isEnabled, terms }) => isEnabled && Object.hasOwn(terms.products, productCode),
    );
  }

  /** Every lender, enabled or not, in the configuration's order. */
  async list(): Promise<Lender[]> {
    return [...(await this.kept.get()).values()];
  }

  /** The lender of this code, enabled or not: a journey keeps to the lender that it has chosen. */
  async find(code: string): Promise<Lender | null> {
    return (await this.kept.get()).get(code) ?? null;
  }
}

function lenderOf({ code, name, adapter, isEnabled, terms }: LenderRow): Lender {
  return Object.freeze({ code, name, adapter, isEnabled, terms });
}
