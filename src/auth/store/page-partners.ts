import { Injectable } from '@nestjs/common';
import { Database, Keyring, type PagePartner } from '../../platform/index.js';
import { Partner } from './partner.entity.js';

const LINK_PURPOSE = 'who-has-data';

/** Partners as an applicant's pages name them. */
@Injectable()
export class PagePartners {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /** @returns null when there is no such partner */
  async of(partnerId: string): Promise<PagePartner | null> {
    const partner = await this.database.with(Partner, (partners) =>
      partners.findOne({ select: { id: true, name: true }, where: { id: partnerId } }),
    );
    if (!partner) return null;
    // Signed, so that nobody learns by guessing whose applicants come here.
    const dataHref = `/data/${this.keyring.signLink(partnerId, LINK_PURPOSE)}`;
    return { name: partner.name, dataHref };
  }

  /** The partner of a link to the page of who has the data; null for one that was not made here. */
  idOf(token: string): string | null {
    return this.keyring.readLink(token, LINK_PURPOSE);
  }
}
