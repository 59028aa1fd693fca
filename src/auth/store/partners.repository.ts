import { Injectable } from '@nestjs/common';
import {
  appNow,
  Columns,
  Database,
  type KeptByReset,
  Keyring,
  type PageLogo,
  type PagePartner,
  sha256,
  type Tx,
} from '../../platform/index.js';
import { ApiKey, ApiKeyWindow, RequestNonce } from './api-key.entity.js';
import { Partner, PartnerLogo } from './partner.entity.js';

export type GivenPartner = Pick<
  Partner,
  'id' | 'name' | 'status' | 'returnUrl' | 'returnOrigins' | 'alertEmails'
>;

const columns = new Columns(Partner);

@Injectable()
export class PartnersRepository {
  list(tx: Tx): Promise<Partner[]> {
    return tx.repository(Partner).find({ order: { id: 'ASC' } });
  }

  async lock(tx: Tx, id: string): Promise<Partner | null> {
    return tx.repository(Partner).findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  async setStatus(
    tx: Tx,
    id: string,
    status: Pick<Partner, 'status' | 'statusOrigin'>,
  ): Promise<void> {
    await tx.update(Partner, { id }, status);
    await tx.update(ApiKey, { partnerId: id }, { version: () => 'version + 1', updatedAt: appNow });
  }

  /**
   * A suspension by command remains. A partner that is no longer in the file remains, with its keys revoked.
   * A changed status renews the versions of its keys.
   * @returns how many changed
   */
  async replace(tx: Tx, partners: readonly GivenPartner[]): Promise<number> {
    const given = JSON.stringify(partners.map((partner) => columns.toRecord(partner)));
    // Partners before keys, to avoid deadlocks.
    await tx.query('SELECT id FROM partners ORDER BY id FOR NO KEY UPDATE');
    // Before the upsert, which overwrites the old status.
    await tx.execute(RENEW_KEYS_OF_CHANGED, [given]);
    return tx.execute(UPSERT, [given]);
  }
}

const RENEW_KEYS_OF_CHANGED = `
  UPDATE api_keys SET version = version + 1, updated_at = app_now()
  FROM partners AS kept
  JOIN jsonb_populate_recordset(NULL::partners, $1) AS given ON given.id = kept.id
  WHERE api_keys.partner_id = kept.id
    AND kept.status_origin = 'FILE' AND kept.status <> given.status
`;

const UPSERT = `
  INSERT INTO partners AS kept (id, name, status, status_origin, return_url, return_origins, alert_emails)
  SELECT id, name, status, 'FILE', return_url, return_origins, alert_emails
  FROM jsonb_populate_recordset(NULL::partners, $1)
  ON CONFLICT (id) DO UPDATE SET
    name = excluded.name,
    return_url = excluded.return_url,
    return_origins = excluded.return_origins,
    alert_emails = excluded.alert_emails,
    status = CASE kept.status_origin WHEN 'FILE' THEN excluded.status ELSE kept.status END
  WHERE kept.name <> excluded.name
    OR kept.alert_emails <> excluded.alert_emails
    OR kept.return_origins <> excluded.return_origins
    OR kept.return_url IS DISTINCT FROM excluded.return_url
    OR (kept.status_origin = 'FILE' AND kept.status <> excluded.status)
`;

@Injectable()
export class PartnerAlertEmails {
  constructor(private readonly database: Database) {}

  async wantedBy(tx: Tx, partnerIds: readonly string[]): Promise<string[]> {
    const found = await tx.query<Pick<Partner, 'id'>>(WANTED, [partnerIds]);
    return found.map(({ id }) => id);
  }

  async partnersWithAddresses(): Promise<string[]> {
    const found = await this.database.query<Pick<Partner, 'id'>>(ALL);
    return found.map(({ id }) => id);
  }

  /** Empty when the partner wants no e-mails. */
  async of(partnerId: string): Promise<readonly string[]> {
    return (await this.database.value<Partner['alertEmails']>(ADDRESSES, [partnerId])) ?? [];
  }
}

const WANTED = `SELECT id FROM partners WHERE id = ANY ($1) AND alert_emails <> '{}'`;

const ALL = `SELECT id FROM partners WHERE alert_emails <> '{}' ORDER BY id`;

const ADDRESSES = `SELECT alert_emails AS "alertEmails" FROM partners WHERE id = $1`;

const LINK_PURPOSE = 'who-has-data';

interface PartnerRow {
  readonly name: string;
  /** Without a logo all three are null. */
  readonly version: string | null;
  readonly width: number | null;
  readonly height: number | null;
}

@Injectable()
export class PagePartners {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  async of(partnerId: string): Promise<PagePartner | null> {
    const [partner] = await this.database.query<PartnerRow>(
      `SELECT name, version, width, height
       FROM partners LEFT JOIN partner_logos ON partner_id = id
       WHERE id = $1`,
      [partnerId],
    );
    if (!partner) return null;
    // Signed, so that a guessed address does not reveal which partners are customers.
    const dataHref = `/data/${this.keyring.signLink(partnerId, LINK_PURPOSE)}`;
    return { name: partner.name, logo: logoOf(partner), dataHref };
  }

  /** Null for an invalid link. */
  idOf(token: string): string | null {
    return this.keyring.readLink(token, LINK_PURPOSE);
  }
}

function logoOf({ version, width, height }: PartnerRow): PageLogo | null {
  if (version === null || width === null || height === null) return null;
  return { url: `/partner-logos/${version}`, width, height };
}

@Injectable()
export class PartnerReturnUrls {
  constructor(private readonly database: Database) {}

  /** The origins that the `returnUrl` of a single loan may have. */
  async originsOf(partnerId: string): Promise<readonly string[]> {
    return (
      (await this.database.value<string[]>(
        'SELECT return_origins AS origins FROM partners WHERE id = $1',
        [partnerId],
      )) ?? []
    );
  }

  async of(tx: Tx, partnerId: string): Promise<string | null> {
    const partner = await tx.repository(Partner).findOne({
      select: { id: true, returnUrl: true },
      where: { id: partnerId },
    });
    return partner?.returnUrl ?? null;
  }
}

export const AUTH_KEPT: KeptByReset = { entities: [ApiKey, Partner, PartnerLogo, RequestNonce] };
export const AUTH_ENTITIES = [ApiKeyWindow, ...AUTH_KEPT.entities];

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
      changed += await tx.execute(UPSERT_LOGO, values);
    }
    return changed;
  }
}

const UPSERT_LOGO = `
  INSERT INTO partner_logos AS kept (partner_id, version, width, height, bytes)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (partner_id) DO UPDATE SET
    version = excluded.version,
    width = excluded.width,
    height = excluded.height,
    bytes = excluded.bytes
  WHERE kept.version <> excluded.version
`;
