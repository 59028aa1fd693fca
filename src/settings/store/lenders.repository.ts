import { Injectable } from '@nestjs/common';
import { Columns, Database, type Tx, sealedSamples } from '../../platform/index.js';
import { replaceByCode } from './replace-by-code.js';
import { Lender } from './lender.entity.js';
import { CLIENT_KEY_PURPOSE, PAYMENT_ACCOUNT_PURPOSE } from '../sealed-settings.js';

const columns = new Columns(Lender);

export type SealedOfLender = Pick<Lender, 'clientKeySealed' | 'paymentSealed'>;

@Injectable()
export class LendersRepository {
  constructor(private readonly database: Database) {}

  /** In the configuration's order. */
  async readAll(): Promise<Lender[]> {
    return this.database.queryReserved<Lender & Record<string, unknown>>(
      `SELECT ${columns.selected()} FROM lenders ORDER BY position, code`,
    );
  }

  list(tx: Tx): Promise<Lender[]> {
    return tx.repository(Lender).find({ order: { position: 'ASC', code: 'ASC' } });
  }

  /** By the lender's code. */
  async readPaymentAccounts(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.queryReserved<{ code: string; sealed: string }>(
      'SELECT code, payment_sealed AS sealed FROM lenders WHERE payment_sealed IS NOT NULL',
    );
    return new Map(rows.map(({ code, sealed }) => [code, sealed]));
  }

  async sealed(tx: Tx): Promise<ReadonlyMap<string, SealedOfLender>> {
    const rows = await tx.repository(Lender).find();
    return new Map(rows.map((lender) => [lender.code, lender]));
  }

  replace(tx: Tx, lenders: readonly Lender[]): Promise<number> {
    return replaceByCode(tx, columns, lenders);
  }
}

export const sealedClientKeys = sealedSamples('lenders', 'client_key_sealed', CLIENT_KEY_PURPOSE);

export const sealedPaymentAccounts = sealedSamples(
  'lenders',
  'payment_sealed',
  PAYMENT_ACCOUNT_PURPOSE,
);
