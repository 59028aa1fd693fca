import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../platform/index.js';
import { Refusal } from './refusal.js';

interface Standing {
  status: 'ACTIVE' | 'SUSPENDED';
  status_origin: 'FILE' | 'COMMAND';
}

/**
 * Suspends partners and lets them in again. Each of the partner's keys gets a new version with it,
 * so the change counts on every replica from its commit on.
 */
@Injectable()
export class PartnerAdministration {
  constructor(private readonly database: Database) {}

  /** @throws Refusal when the partner is unknown or suspended already */
  suspend(id: string): Promise<void> {
    return this.change(id, async (tx, partner) => {
      if (partner.status === 'SUSPENDED') {
        throw new Refusal(`The partner ${id} is suspended already.`);
      }
      await setStatus(tx, id, { status: 'SUSPENDED', status_origin: 'COMMAND' });
    });
  }

  /** @throws Refusal when the partner is unknown, not suspended, or suspended by the file */
  resume(id: string): Promise<void> {
    return this.change(id, async (tx, partner) => {
      if (partner.status === 'ACTIVE') throw new Refusal(`The partner ${id} is not suspended.`);
      if (partner.status_origin === 'FILE') {
        throw new Refusal(`The configuration file suspends the partner ${id}: resume it there.`);
      }
      await setStatus(tx, id, { status: 'ACTIVE', status_origin: 'FILE' });
    });
  }

  private change(id: string, work: (tx: Tx, partner: Standing) => Promise<void>): Promise<void> {
    return this.database.transaction(async (tx) => {
      const [partner] = await tx.query<Standing>(
        'SELECT status, status_origin FROM partners WHERE id = $1 FOR NO KEY UPDATE',
        [id],
      );
      if (!partner) throw new Refusal(`There is no partner ${id}.`);
      await work(tx, partner);
    });
  }
}

async function setStatus(tx: Tx, id: string, standing: Standing): Promise<void> {
  const { status, status_origin } = standing;
  await tx.execute('UPDATE partners SET status = $2, status_origin = $3 WHERE id = $1', [
    id,
    status,
    status_origin,
  ]);
  await tx.execute(
    `UPDATE api_keys SET version = version + 1, updated_at = app_now() WHERE partner_id = $1`,
    [id],
  );
}
