import { Injectable } from '@nestjs/common';
import { Columns, Database, sealedSamples, type Tx } from '../../platform/index.js';
import { CLIENT_KEY_PURPOSE, PAYMENT_ACCOUNT_PURPOSE } from '../sealed-settings.js';
import { Lender, LenderLogo } from './lender.entity.js';
import { replaceByCode } from './replace-by-code.js';

const columns = new Columns(Lender);

type SealedOfLender = Pick<Lender, 'clientKeySealed' | 'paymentSealed'>;

@Injectable()
export class LendersRepository {
  constructor(private readonly database: Database) {}

  /** In the configuration's order. */
  async readAll(): Promise<Lender[]> {
    return this.database.queryReserved(
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

@Injectable()
export class LenderLogosRepository {
  constructor(private readonly database: Database) {}

  async find(lenderCode: string): Promise<LenderLogo | null> {
    return this.database.with(LenderLogo, (logos) => logos.findOneBy({ lenderCode }));
  }

  /** @returns how many changed */
  async replace(tx: Tx, given: readonly LenderLogo[]): Promise<number> {
    const codes = given.map(({ lenderCode }) => lenderCode);
    let changed = await tx.execute('DELETE FROM lender_logos WHERE lender_code <> ALL ($1)', [
      codes,
    ]);
    for (const { lenderCode, version, bytes } of given) {
      changed += await tx.execute(UPSERT, [lenderCode, version, bytes]);
    }
    return changed;
  }
}

const UPSERT = `
  INSERT INTO lender_logos AS kept (lender_code, version, bytes)
  VALUES ($1, $2, $3)
  ON CONFLICT (lender_code) DO UPDATE SET version = excluded.version, bytes = excluded.bytes
  WHERE kept.version <> excluded.version
`;
