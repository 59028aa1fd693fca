import type { SealedSamples } from '../../platform/index.js';
import { CLIENT_KEY_PURPOSE } from '../client-keys.js';

/** One for each name of a master key that private keys of client certificates are sealed under. */
export const sealedClientKeys: SealedSamples = (dataSource) =>
  dataSource.query(
    `SELECT DISTINCT ON (split_part(client_key_sealed, ':', 2))
       split_part(client_key_sealed, ':', 2) AS name, client_key_sealed AS sealed, $1 AS purpose
     FROM lenders WHERE client_key_sealed IS NOT NULL`,
    [CLIENT_KEY_PURPOSE],
  );
