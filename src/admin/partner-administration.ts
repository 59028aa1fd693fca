import { Injectable } from '@nestjs/common';
import { type Partner, PartnersRepository } from '../auth/index.js';
import { Database, type Tx } from '../platform/index.js';
import { Refusal } from './refusal.js';

/** Each of the partner's keys gets a new version, so every replica sees the change. */
@Injectable()
export class PartnerAdministration {
  constructor(
    private readonly database: Database,
    private readonly partners: PartnersRepository,
  ) {}

  /** @throws Refusal when the partner is unknown or suspended already */
  suspend(id: string): Promise<void> {
    return this.change(id, async (tx, partner) => {
      if (partner.status === 'SUSPENDED') {
        throw new Refusal(`The partner ${id} is suspended already.`);
      }
      await this.partners.setStatus(tx, id, { status: 'SUSPENDED', statusOrigin: 'COMMAND' });
    });
  }

  /** @throws Refusal when the partner is unknown, not suspended, or suspended by the file */
  resume(id: string): Promise<void> {
    return this.change(id, async (tx, partner) => {
      if (partner.status === 'ACTIVE') throw new Refusal(`The partner ${id} is not suspended.`);
      if (partner.statusOrigin === 'FILE') {
        throw new Refusal(`The configuration file suspends the partner ${id}: resume it there.`);
      }
      await this.partners.setStatus(tx, id, { status: 'ACTIVE', statusOrigin: 'FILE' });
    });
  }

  private change(id: string, work: (tx: Tx, partner: Partner) => Promise<void>): Promise<void> {
    return this.database.transaction(async (tx) => {
      const partner = await this.partners.lock(tx, id);
      if (!partner) throw new Refusal(`There is no partner ${id}.`);
      await work(tx, partner);
    });
  }
}
