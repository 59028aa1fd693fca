import { Injectable } from '@nestjs/common';
import { Database, sha256, type Tx } from '../../platform/index.js';
import { PartnerLogo } from './partner.entity.js';

export type GivenLogo = Omit<PartnerLogo, 'version'>;

@Injectable()
export class PartnerLogosRepository {
  constructor(private readonly database: Database) {}

  /** Null when no partner uses it now. */
  async find(version: string): Promise<Buffer | null> {
    const logo = await this.database.with(PartnerLogo, (logos) =>
      logos.findOne({ select: { bytes: true }, where: { version } }),
    );
    return logo && logo.bytes;
  }

  async versions(tx: Tx): Promise<ReadonlyMap<string, string>> {
    const select = { partnerId: true, version: true } as const;
    const logos = await tx.repository(PartnerLogo).find({ select });
    return new Map(logos.map(({ partnerId, version }) => [partnerId, version]));
  }

  /** @returns how many changed */
  async replace(tx: Tx, given: readonly GivenLogo[]): Promise<number> {
    const partnerIds = given.map(({ partnerId }) => partnerId);
    let changed = await tx.execute('DELETE FROM partner_logos WHERE partner_id <> ALL ($1)', [
      partnerIds,
    ]);
    for (const { partnerId, width, height, bytes } of given) {
      const values = [partnerId, sha256(bytes), width, height, bytes];
      changed += await tx.execute(UPSERT, values);
    }
    return changed;
  }
}

const UPSERT = `
  INSERT INTO partner_logos AS kept (partner_id, version, width, height, bytes)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (partner_id) DO UPDATE SET
    version = excluded.version,
    width = excluded.width,
    height = excluded.height,
    bytes = excluded.bytes
  WHERE kept.version <> excluded.version
`;
