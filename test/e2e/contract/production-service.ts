import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { PRODUCTION_GATEWAYS } from '../../support/production-gateways.js';
import { startService, type TestService } from '../../support/service.js';
import { createEmptyDatabase } from '../../support/test-database.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';

export interface ProductionService extends TestService {
  /** Where a test reaches it; its BASE_URL is `https://loans.example`. */
  readonly address: string;
}

/** A service in production mode with the shipped products, and neither lenders nor partners. */
export async function startProduction(): Promise<ProductionService> {
  const database = await createEmptyDatabase();
  const service = await startService({
    databaseUrl: database.url,
    environment: { MODE: 'production', BASE_URL: 'https://loans.example' },
  });
  const folder = mkdtempSync(join(tmpdir(), 'rinpath-production-'));
  const file = join(folder, 'production.yaml');
  const shipped = parse(shippedConfiguration()) as object;
  writeFileSync(file, stringify({ ...shipped, ...PRODUCTION_GATEWAYS, lenders: [], partners: [] }));
  const deployment = { mode: 'production', isLoopback: false, sandboxOpen: false } as const;
  await service.get<ConfigurationApplier>(ConfigurationApplier).apply(file, deployment);
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

/** Where a service listens, whatever its BASE_URL says. */
export function addressOf(service: TestService): string {
  const { port } = service.app.getHttpServer().address() as { port: number };
  return `http://127.0.0.1:${port}`;
}
