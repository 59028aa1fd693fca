import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { PRODUCTION_DEPLOYMENT, PRODUCTION_VARIABLES } from '../../support/deployments.js';
import { productionConfiguration } from '../../support/production-configuration.js';
import { startService, type OwnService } from '../../support/service.js';
import { createEmptyDatabase } from '../../support/test-database.js';

export interface ProductionService extends OwnService {
  /** The address for tests; its BASE_URL is `https://loans.example`. */
  readonly address: string;
}

/**
 * A service in production mode with the shipped products and lenders, but without connectors.
 * @param sections replace those of its configuration; by default it has no partner
 */
export async function startProduction(
  sections: Record<string, unknown> = {},
): Promise<ProductionService> {
  const database = await createEmptyDatabase();
  const service = await startService({
    databaseUrl: database.url,
    environment: PRODUCTION_VARIABLES,
  });
  const folder = mkdtempSync(join(tmpdir(), 'rinpath-production-'));
  const file = join(folder, 'production.yaml');
  writeFileSync(file, productionConfiguration(sections));
  await service.get<ConfigurationApplier>(ConfigurationApplier).apply(file, PRODUCTION_DEPLOYMENT);
  rmSync(folder, { recursive: true });
  return {
    ...service,
    address: addressOf(service),
    close: async () => {
      await service.close();
      await database.drop();
    },
  };
}

/** The address that a service listens on, whatever its BASE_URL is. */
export function addressOf(service: OwnService): string {
  const { port } = service.app.getHttpServer().address() as { port: number };
  return `http://127.0.0.1:${port}`;
}
