import { Injectable } from '@nestjs/common';
import { Columns, type Tx } from '../../platform/index.js';
import { ApiKey } from './api-key.entity.js';
import { Partner } from './partner.entity.js';

export type GivenPartner = Pick<Partner, 'id' | 'name' | 'status' | 'returnUrl' | 'alertEmails'>;

const columns = new Columns(Partner);

/** A change of status renews the versions of the partner's keys in the same transaction. */
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
    await tx.repository(Partner).update({ id }, status);
    await tx
      .repository(ApiKey)
      .update({ partnerId: id }, { version: () => 'version + 1', updatedAt: () => 'app_now()' });
  }

  /**
   * Applies the file; a suspension by command stays. A changed status renews the versions of the
   * partner's keys. A partner that left the file stays, with its keys revoked.
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
  INSERT INTO partners AS kept (id, name, status, status_origin, return_url, alert_emails)
  SELECT id, name, status, 'FILE', return_url, alert_emails
  FROM jsonb_populate_recordset(NULL::partners, $1)
  ON CONFLICT (id) DO UPDATE SET
    name = excluded.name,
    return_url = excluded.return_url,
    alert_emails = excluded.alert_emails,
    status = CASE kept.status_origin WHEN 'FILE' THEN excluded.status ELSE kept.status END
  WHERE kept.name <> excluded.name
    OR kept.alert_emails <> excluded.alert_emails
    OR kept.return_url IS DISTINCT FROM excluded.return_url
    OR (kept.status_origin = 'FILE' AND kept.status <> excluded.status)
`;
