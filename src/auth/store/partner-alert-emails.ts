import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../platform/index.js';
import { Partner } from './partner.entity.js';

@Injectable()
export class PartnerAlertEmails {
  constructor(private readonly database: Database) {}

  /** @returns those partners that want e-mails */
  async wantedBy(tx: Tx, partnerIds: readonly string[]): Promise<string[]> {
    const found = await tx.query<Pick<Partner, 'id'>>(WANTED, [partnerIds]);
    return found.map(({ id }) => id);
  }

  async partnersWithAddresses(): Promise<string[]> {
    const found = await this.database.query<Pick<Partner, 'id'> & Record<string, unknown>>(ALL);
    return found.map(({ id }) => id);
  }

  /** @returns none when the partner wants no e-mails */
  async of(partnerId: string): Promise<readonly string[]> {
    const [found] = await this.database.query<
      Pick<Partner, 'alertEmails'> & Record<string, unknown>
    >(ADDRESSES, [partnerId]);
    return found?.alertEmails ?? [];
  }
}

const WANTED = `SELECT id FROM partners WHERE id = ANY ($1) AND alert_emails <> '{}'`;

const ALL = `SELECT id FROM partners WHERE alert_emails <> '{}' ORDER BY id`;

const ADDRESSES = `SELECT alert_emails AS "alertEmails" FROM partners WHERE id = $1`;
