import { hintOf, readApiKey } from '../auth/index.js';
import { type Keyring, sha256, type Tx } from '../platform/index.js';
import { KEY_SECRET_PURPOSE, type KeyFields, type KeyStatus } from './api-key-terms.js';

interface NewKey {
  readonly id: string;
  readonly partnerId: string;
  readonly origin: 'FILE' | 'COMMAND';
  readonly apiKey: string;
  readonly status: KeyStatus;
  readonly fields: KeyFields;
}

/** Enters a key, and the row of its rate windows. */
export async function insertApiKey(tx: Tx, key: NewKey, keyring: Keyring): Promise<void> {
  const { apiKey } = key;
  await tx.execute(
    `INSERT INTO api_keys (id, partner_id, origin, status_origin, mode, key_hash, hint, status,
       name, secret_sealed, scopes, products, minute_limit, day_limit, default_channel,
       default_product)
     VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      key.id,
      key.partnerId,
      key.origin,
      readApiKey(apiKey)?.mode,
      sha256(apiKey),
      hintOf(apiKey),
      key.status,
      ...fieldValues(key.fields, keyring),
    ],
  );
  await tx.execute('INSERT INTO api_key_windows (key_id) VALUES ($1)', [key.id]);
}

/**
 * The values of name, secret_sealed, scopes, products, minute_limit, day_limit, default_channel and
 * default_product, in this order.
 */
export function fieldValues(fields: KeyFields, keyring: Keyring): unknown[] {
  return [
    fields.name,
    keyring.seal(fields.secret, KEY_SECRET_PURPOSE),
    fields.scopes,
    fields.products,
    fields.minuteLimit,
    fields.dayLimit,
    fields.defaultChannel,
    fields.defaultProduct,
  ];
}
