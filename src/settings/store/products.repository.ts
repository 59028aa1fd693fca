import { Injectable } from '@nestjs/common';
import { Columns, Database, type Tx } from '../../platform/index.js';
import { Product } from './product.entity.js';

const columns = new Columns(Product);
const written = columns.properties.filter((property) => property !== 'code');

@Injectable()
export class ProductsRepository {
  constructor(private readonly database: Database) {}

  /** In the configuration's order; for the cache. */
  async readAll(): Promise<Product[]> {
    return this.database.queryReserved<Product & Record<string, unknown>>(
      `SELECT ${columns.selected()} FROM products ORDER BY position, code`,
    );
  }

  list(tx: Tx): Promise<Product[]> {
    return tx.repository(Product).find({ order: { position: 'ASC', code: 'ASC' } });
  }

  /** In the configuration's order. */
  async codes(tx: Tx): Promise<string[]> {
    const products = await tx
      .repository(Product)
      .find({ select: { code: true }, order: { position: 'ASC', code: 'ASC' } });
    return products.map(({ code }) => code);
  }

  /**
   * Disables products that are not given: journeys and applications refer to them.
   * @returns how many changed
   */
  async replace(tx: Tx, products: readonly Product[]): Promise<number> {
    const rows = JSON.stringify(products.map((product) => columns.toRecord(product)));
    const codes = products.map(({ code }) => code);
    return (await tx.execute(UPSERT, [rows])) + (await tx.execute(SWITCH_OFF_OTHERS, [codes]));
  }
}

// Unchanged rows are not written, so that applying a file again changes nothing.
const UPSERT = `
  INSERT INTO products AS kept (${columns.list()})
  SELECT ${columns.list()} FROM jsonb_populate_recordset(NULL::products, $1)
  ON CONFLICT (code) DO UPDATE
    SET (${columns.list(written)}) = (${written.map((one) => `excluded.${columns.name(one)}`).join(', ')})
  WHERE (kept.*) IS DISTINCT FROM (excluded.*)
`;

const SWITCH_OFF_OTHERS = `
  UPDATE products SET is_enabled = false WHERE is_enabled AND code <> ALL ($1)
`;
