import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../platform/index.js';
import { LenderLogo } from './lender-logo.entity.js';

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
