import { Injectable } from '@nestjs/common';
import {
  Database,
  Keyring,
  type PageLogo,
  type PagePartner,
  type Tx,
} from '../../platform/index.js';
import { Partner } from './partner.entity.js';

const LINK_PURPOSE = 'who-has-data';

interface PartnerRow {
  readonly name: string;
  /** All three are null without a logo. */
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
    const [partner] = await this.database.query<PartnerRow & Record<string, unknown>>(
      `SELECT name, version, width, height
       FROM partners LEFT JOIN partner_logos ON partner_id = id
       WHERE id = $1`,
      [partnerId],
    );
    if (!partner) return null;
    // Signed, so that guessing does not reveal whose applicants come here.
    const dataHref = `/data/${this.keyring.signLink(partnerId, LINK_PURPOSE)}`;
    return { name: partner.name, logo: logoOf(partner), dataHref };
  }

  /** Null for a link that was not made here. */
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
  /** @returns null when the partner has given none */
  async of(tx: Tx, partnerId: string): Promise<string | null> {
    const partner = await tx.repository(Partner).findOne({
      select: { id: true, returnUrl: true },
      where: { id: partnerId },
    });
    return partner?.returnUrl ?? null;
  }
}
