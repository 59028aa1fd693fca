import { Injectable } from '@nestjs/common';
import { Columns, Database, type Tx } from '../../platform/index.js';
import { replaceByCode } from './replace-by-code.js';
import { Product } from './product.entity.js';

const columns = new Columns(Product);

@Injectable()
export class ProductsRepository {
  constructor(private readonly database: Database) {}

  /** In the configuration's order. */
  async readAll(): Promise<Product[]> {
    return this.database.queryReserved(
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

  replace(tx: Tx, products: readonly Product[]): Promise<number> {
    return replaceByCode(tx, columns, products);
  }
}
