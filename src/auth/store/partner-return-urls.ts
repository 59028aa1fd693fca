import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';
import { Partner } from './partner.entity.js';

/** Where partners have their applicants sent back to. */
@Injectable()
export class PartnerReturnUrls {
  constructor(private readonly database: Database) {}

  /** @returns null when the partner has given none */
  async of(partnerId: string): Promise<string | null> {
    const partner = await this.database.with(Partner, (partners) =>
      partners.findOne({ select: { id: true, returnUrl: true }, where: { id: partnerId } }),
    );
    return partner?.returnUrl ?? null;
  }
}
