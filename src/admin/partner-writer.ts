import type { Tx } from '../platform/index.js';
import type { PartnerSection } from './configuration/partner-section.js';

/**
 * Brings the partners to what the file says; a suspension by command stays. When a partner's
 * standing changes, each of its keys gets a new version, so that no replica goes by the old one.
 * A partner that left the file stays: it has history, and it is its keys that are revoked.
 * @returns how many changed
 */
export async function writePartners(tx: Tx, partners: readonly PartnerSection[]): Promise<number> {
  const rows = partners.map((partner) => ({
    id: partner.id,
    name: partner.name,
    status: partner.status ?? 'ACTIVE',
    return_url: partner.returnUrl ?? null,
  }));
  const given = JSON.stringify(rows);
  // Partners are always locked before their keys, so that no two commands wait for each other.
  await tx.query('SELECT id FROM partners ORDER BY id FOR NO KEY UPDATE');
  // Before the partners, while the old standing can still be told from the new one.
  await tx.execute(RENEW_KEYS_OF_CHANGED, [given]);
  return tx.execute(UPSERT_PARTNERS, [given]);
}

const RENEW_KEYS_OF_CHANGED = `
  UPDATE api_keys SET version = version + 1, updated_at = app_now()
  FROM partners AS kept
  JOIN jsonb_populate_recordset(NULL::partners, $1) AS given ON given.id = kept.id
  WHERE api_keys.partner_id = kept.id
    AND kept.status_origin = 'FILE' AND kept.status <> given.status`;

const UPSERT_PARTNERS = `
  INSERT INTO partners AS kept (id, name, status, status_origin, return_url)
  SELECT id, name, status, 'FILE', return_url FROM jsonb_populate_recordset(NULL::partners, $1)
  ON CONFLICT (id) DO UPDATE SET
    name = excluded.name,
    return_url = excluded.return_url,
    status = CASE kept.status_origin WHEN 'FILE' THEN excluded.status ELSE kept.status END
  WHERE kept.name <> excluded.name
    OR kept.return_url IS DISTINCT FROM excluded.return_url
    OR (kept.status_origin = 'FILE' AND kept.status <> excluded.status)`;
