import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import { Partner } from './partner.entity.js';

/** Where partners have their applicants sent back to. */
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
