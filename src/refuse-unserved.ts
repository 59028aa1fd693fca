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
 * Holds the configuration in force against the build that is to serve it: it may have been applied
 * by one that had other connectors. In production it warns of each step that no applicant can start.
 * @throws ConfigurationError naming every lender that this build cannot speak to or may not reach, and
 *   every product that no lender serves
 */
export async function refuseUnserved(
  app: INestApplicationContext,
  deployment: Deployment,
): Promise<void> {
  // From the tables: the catalogues are first read at their first use, with all that is applied until then.
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
  // One that is switched off has left the file, where nobody can mend it.
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
