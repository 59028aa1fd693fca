import { type INestApplicationContext, Logger } from '@nestjs/common';
import {
  adapterProblem,
  ConfigurationError,
  type Deployment,
  lenderAddressProblem,
  REMOTE_ADAPTER,
  stepsWithoutHost,
  unservedProblem,
} from './admin/index.js';
import type { Reach } from './platform/index.js';
import { type Lender, LendersRepository, ProductsRepository } from './settings/index.js';

/**
 * Checks the current configuration, which another build may have applied. In production, warns of
 * steps that no applicant can start.
 * @throws ConfigurationError naming every lender without a connector or address, and every product
 * without a lender
 */
export async function refuseUnserved(
  app: INestApplicationContext,
  deployment: Deployment,
): Promise<void> {
  // From the tables, since the catalogues would cache a state too early.
  const lenders = await app.get(LendersRepository).readAll();
  const products = await app.get(ProductsRepository).readAll();
  // A disabled lender is absent from the file, so nothing there can be fixed.
  const enabled = lenders
    .filter(({ isEnabled }) => isEnabled)
    .map(({ code, adapter, isEnabled, remote, terms: { products: terms, providers = [] } }) => ({
      code,
      adapter,
      isEnabled,
      remote,
      providers,
      products: Object.keys(terms),
    }));
  const found = [
    ...enabled.flatMap((lender) => [
      {
        field: `lenders.${lender.code}.adapter`,
        message: adapterProblem(lender.adapter, deployment),
      },
      ...remoteProblems(lender, deployment),
    ]),
    ...products.map((product) => ({
      field: `products.${product.code}`,
      message: unservedProblem(product, enabled),
    })),
  ];
  const problems = found.flatMap(({ field, message }) => (message ? [{ field, message }] : []));
  if (problems.length > 0) throw new ConfigurationError('in force', problems);
  if (deployment.mode !== 'production') return;
  const logger = new Logger('Configuration');
  for (const lender of enabled.filter(({ adapter }) => adapter === REMOTE_ADAPTER)) {
    for (const step of stepsWithoutHost(lender, products)) {
      logger.warn(
        `lenders.${lender.code}.providers must name a host for ${step}: without it no applicant can start this step`,
      );
    }
  }
}

function remoteProblems(
  { code, adapter, remote }: Pick<Lender, 'code' | 'adapter' | 'remote'>,
  reach: Reach,
) {
  if (adapter !== REMOTE_ADAPTER) return [];
  const field = `lenders.${code}.remote`;
  if (!remote) return [{ field, message: 'is required here' }];
  const { address, keys } = remote;
  return [
    { field: `${field}.address`, message: lenderAddressProblem(address, reach) },
    ...(keys.kind === 'JWKS'
      ? [{ field: `${field}.jwks`, message: lenderAddressProblem(keys.address, reach) }]
      : []),
  ];
}
