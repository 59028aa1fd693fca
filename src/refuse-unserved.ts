import { type INestApplicationContext, Logger } from '@nestjs/common';
import {
  adapterMistakes,
  ConfigurationError,
  type Deployment,
  remoteInForceMistakes,
  unnamedHostsInForce,
  unservedMistakes,
} from './admin/index.js';
import { LendersRepository, ProductsRepository } from './settings/index.js';

/**
 * Checks the configuration in force, perhaps applied by another build. In production, warns of
 * steps that no applicant can start.
 * @throws ConfigurationError naming every lender without a connector or reachable address, and
 * every product without a lender
 */
export async function refuseUnserved(
  app: INestApplicationContext,
  deployment: Deployment,
): Promise<void> {
  // From the tables, since the catalogues would cache a state too early.
  const lenders = (await app.get(LendersRepository).readAll()).map(
    ({ code, adapter, isEnabled, terms, remote }) => ({
      path: `lenders.${code}`,
      adapter,
      isEnabled,
      products: Object.keys(terms.products),
      providers: terms.providers ?? [],
      remote,
    }),
  );
  const products = (await app.get(ProductsRepository).readAll()).map(
    ({ code, channel, isEnabled, steps }) => ({
      path: `products.${code}`,
      code,
      channel,
      isEnabled,
      steps,
    }),
  );
  // A disabled lender has left the file, so nothing there can be fixed.
  const enabled = lenders.filter(({ isEnabled }) => isEnabled);
  const problems = [
    ...adapterMistakes(enabled, deployment),
    ...enabled.flatMap((lender) => remoteInForceMistakes(lender, deployment)),
    ...unservedMistakes(products, enabled),
  ];
  if (problems.length > 0) throw new ConfigurationError('in force', problems);
  if (deployment.mode !== 'production') return;
  const logger = new Logger('Configuration');
  for (const lender of enabled) {
    for (const warning of unnamedHostsInForce(lender, products)) logger.warn(warning);
  }
}
