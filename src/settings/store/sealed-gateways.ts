import type { SealedSamples } from '../../platform/index.js';
import { GATEWAYS_PURPOSE } from '../gateway-settings.js';

/** The gateways' settings, as the configuration in force has them. */
export const sealedGateways: SealedSamples = (dataSource) =>
  dataSource.query(
    `SELECT split_part(gateways_sealed, ':', 2) AS name, gateways_sealed AS sealed, $1 AS purpose
     FROM configuration WHERE gateways_sealed IS NOT NULL`,
    [GATEWAYS_PURPOSE],
  );
