import { Injectable } from '@nestjs/common';
import { Columns, Database, type Tx } from '../../platform/index.js';
import { Product } from './product.entity.js';

const columns = new Columns(Product);
const written = columns.properties.filter((property) => property !== 'code');

@Injectable()
export class ProductsRepository {
  constructor(private readonly database: Database) {}

  /** Every product, in the configuration's order; for the catalogue that is kept in memory. */
  async readAll(): Promise<Product[]> {
    return this.database.queryReserved<Product & Record<string, unknown>>(
      `SELECT ${columns.selected()} FROM products ORDER BY position, code`,
    );
  }

  /** The same in a transaction. */
  list(tx: Tx): Promise<Product[]> {
    return tx.repository(Product).find({ order: { position: 'ASC', code: 'ASC' } });
  }

  /** The codes of all products, in the configuration's order. */
  async codes(tx: Tx): Promise<string[]> {
    const products = await tx
      .repository(Product)
      .find({ select: { code: true }, order: { position: 'ASC', code: 'ASC' } });
    return products.map(({ code }) => code);
  }

  /**
   * Makes these the products there are. One that is no longer among them is switched off: journeys
   * and applications speak of it.
   * @returns how many changed
   */
  async replace(tx: Tx, products: readonly Product[]): Promise<number> {
    const rows = JSON.stringify(products.map((product) => columns.toRecord(product)));
    const codes = products.map(({ code }) => code);
    return (await tx.execute(UPSERT, [rows])) + (await tx.execute(SWITCH_OFF_OTHERS, [codes]));
  }
}

// A row that stays as it is is not written, so that applying a file again changes nothing.
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
