import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';
import { Partner } from './partner.entity.js';

/** What partners are called, for their applicants to read. */
@Injectable()
export class PartnerNames {
  constructor(private readonly database: Database) {}

  /** @returns null when there is no such partner */
  async of(partnerId: string): Promise<string | null> {
    const partner = await this.database.with(Partner, (partners) =>
      partners.findOne({ select: { id: true, name: true }, where: { id: partnerId } }),
    );
    return partner?.name ?? null;
  }
}
