import type { SealedSamples } from '../../platform/index.js';
import { KEY_SECRET_PURPOSE } from '../partner-key.js';

/** One secret for each name of a master key that secrets of keys in use are sealed under. */
export const sealedSecrets: SealedSamples = (dataSource) =>
  dataSource.query(
    `SELECT DISTINCT ON (split_part(secret_sealed, ':', 2))
       split_part(secret_sealed, ':', 2) AS name, secret_sealed AS sealed, $1 AS purpose
     FROM api_keys WHERE status <> 'REVOKED'`,
    [KEY_SECRET_PURPOSE],
  );
