import type { Environment } from '../../platform/index.js';

/** What a configuration must know of the deployment that it is for. */
export interface Deployment extends Pick<
  Environment,
  'mode' | 'isLoopback' | 'privateNetworks' | 'sandboxOpen' | 'mail'
> {
  /** Those to lenders that the build has for the mode; a lender names one of them. */
  readonly lenderAdapters: readonly string[];
}
